extension Check {
  /// How a creative uses its container.
  static let mraidChecks: [Check] = [
    prematureCall, ignoredCall, rejectedResize, resizeWithoutProperties, resizeWithoutAllowOffscreen, hostError,
    missingScript, bundledScript, readyWithoutState, exposureOnly, skippedListener, nonStandardMethod,
    messageHandlers, ignoredCustomClose,
    twoPartExpand, overwrittenGlobal, earlyGeometry, staleGeometry, needlessLock,
  ]
}
