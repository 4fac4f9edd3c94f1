extension Check {
  /// Every check, family by family in the order of reports; the order is an API.
  package static let all: [Check] =
    mraidChecks + motionChecks + heavyAdChecks + accessibilityChecks + pageChecks
}
