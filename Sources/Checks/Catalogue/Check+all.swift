extension Check {
  /// Every check, family by family in the order of reports; the order is an API.
  package static let all: [Check] =
    mraidChecks + behaviourChecks + motionChecks + closeChecks + weightChecks + requestChecks + heavyAdChecks
    + securityChecks + robustnessChecks + accessibilityChecks + blankChecks + pageChecks + expectationChecks

  /// The check of an id.
  package static func named(_ id: String) -> Check? { all.first { $0.id == id } }
}
