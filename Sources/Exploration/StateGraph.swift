internal import Core

/// The state graph as text for readers, and as a Mermaid diagram.
package struct StateGraph: Sendable {
  private let exploration: Exploration

  package init(_ exploration: Exploration) { self.exploration = exploration }

  /// Text with a line for each state and each act that leaves it; acts without an effect are only counted.
  package var text: String {
    exploration.states.map { state in
      let edges = exploration.edges.filter { $0.from == state.number }
      var lines = ["\(state.number) \(state.name)"]
      lines += edges.filter(\.leaves).map { "  \($0.act.label) → \(end(of: $0))" }
      let still = edges.filter { !$0.leaves }
      if !still.isEmpty {
        let acting = still.filter { !$0.effects.isEmpty }
        lines += acting.map { "  \($0.act.label): \($0.effects.prefix(6).joined(separator: ", "))" }
        let idle = still.count - acting.count
        if idle > 0 { lines.append("  \(idle) more without an effect") }
      }
      if !state.untried.isEmpty { lines.append("  \(state.untried.count) not tried") }
      return lines.map { $0.printable + "\n" }.joined()
    }.joined()
  }

  /// Flow chart in Mermaid's language (https://mermaid.js.org); acts that stay in their state are left out.
  package var mermaid: String {
    var lines = ["flowchart TD"]
    lines += exploration.states.map { "  s\($0.number)[\"\($0.number) \(Self.escaped($0.name))\"]" }
    if exploration.edges.contains(where: { $0.to == nil }) { lines.append("  failed((failed))") }
    lines += exploration.edges.filter(\.leaves).map(arrow)
    return lines.map { $0 + "\n" }.joined()
  }

  private func arrow(_ edge: Edge) -> String {
    let end = edge.to.map { "s\($0)" } ?? "failed"
    return "  s\(edge.from) -->|\"\(Self.escaped(edge.act.label))\"| \(end)"
  }

  private func end(of edge: Edge) -> String {
    switch edge.end {
    case .state(let number): "\(number) \(exploration.states[number - 1].name)"
    case .failed(let code): "failed (\(code))"
    }
  }

  /// Returns the text with Mermaid's own entities for the characters that would end a label.
  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "\"": "#quot;"
      case "<": "#lt;"
      case ">": "#gt;"
      case "#": "#35;"
      case ";": "#59;"
      default: character.isNewline ? " " : String(character)
      }
    }.joined()
  }
}
