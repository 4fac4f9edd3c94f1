internal import Jobs

extension Check {
  /// What the ad costs to load. Numbers are the networks'; see the profiles.
  static let weightChecks: [Check] =
    LoadBoundary.Kind.allCases.flatMap { [initialWeight(by: $0), subloadWeight(by: $0)] } + [
      totalWeight, deliveredWeight, resourceWeight, adChoicesWeight, uncompressedText,
    ]
}
