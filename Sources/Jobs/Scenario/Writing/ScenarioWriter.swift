internal import MRAID
internal import Stage

/// Writes scenarios as people would: `ScenarioParser` reads the same steps back, but for their lines.
package enum ScenarioWriter {
  /// The whole file; `comment` goes above it, a line each. `observe` steps have no words and are left out.
  package static func text(of scenario: Scenario, comment: [String] = []) -> String {
    let head = comment.map { "# " + oneLine($0) + "\n" }.joined()
    let steps = scenario.steps.compactMap { StepWriter.text(of: $0.action) }
    guard let placement = scenario.placement else { return head + steps.map { "- \($0)\n" }.joined() }
    var lines = ["placement: \(placement.kind.rawValue)"]
    if placement.kind == .banner {
      if let size = placement.size { lines.append("size: \(size)") }
      if placement.position != .center { lines.append("position: \(placement.position.rawValue)") }
    }
    lines.append(steps.isEmpty ? "steps: []" : "steps:")
    return head + (lines + steps.map { "  - \($0)" }).map { $0 + "\n" }.joined()
  }

  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}
