extension Check {
  /// Whether a person gets out of the ad again.
  static let closeChecks: [Check] = [coveredClose, underClose, noWayOut, customCloseMissing, ownClose]
}
