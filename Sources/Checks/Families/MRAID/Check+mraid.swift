extension Check {
  /// How a creative uses its container.
  static let mraidChecks: [Check] = [
    prematureCall, ignoredCall
  ]
}
