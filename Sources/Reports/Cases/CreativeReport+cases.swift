internal import Checks
internal import Jobs

extension CreativeReport {
  /// What a network makes of it; nil when it couldn't be judged.
  func acceptance(by profile: String) -> Acceptance? { acceptance.first { $0.profile == profile } }

  /// The paths of the pictures that findings point to, each once.
  func pictures(of findings: [Finding]) -> [String] {
    let names = findings.compactMap(\.screenshot)
    return record.screenshots.filter { names.contains($0.name) }.map(\.path)
  }

  /// How the result's author calls it: the path or address it was given by.
  var creativePath: String { record.creative.path }
}
