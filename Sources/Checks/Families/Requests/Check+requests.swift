extension Check {
  /// What the ad asks for, and from whom.
  static let requestChecks: [Check] = [
    initialRequests, totalRequests, cookieCount, fileCount, documentCount, externalRequest, bundleName, orientationMeta,
    audioVideo,
  ]
}
