internal import Checks
internal import Jobs

extension CreativeReport {
  /// Whether this finding is among those for which the policy failed the creative: the worst of a failed one are.
  func isFailed(by finding: Finding) -> Bool {
    guard status == .failed, let worst = findings.map(\.severity).max() else { return false }
    return finding.severity == .error || finding.severity == worst
  }

  /// The paths of the pictures that findings point to, each once.
  func pictures(of findings: [Finding]) -> [String] {
    let names = findings.compactMap(\.screenshot)
    return record.screenshots.filter { names.contains($0.name) }.map(\.path)
  }

  /// How the result's author calls it: the path or address it was given by.
  var creativePath: String { record.creative.path }
}
