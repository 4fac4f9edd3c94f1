extension Check {
  /// Whether the ad works, and goes on working elsewhere.
  static let robustnessChecks: [Check] = [
    unopenable, crash, exception, rejection, consoleError, missingFile, failedRequest, policyViolation,
    rootRelative, localAddress, unfilledMacro, orphanedFile, endlessLog, vastFlaw, vastError,
  ]
}
