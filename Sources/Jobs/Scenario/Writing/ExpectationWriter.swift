internal import MRAID

/// Writes what an `expect` step holds as one mapping.
enum ExpectationWriter {
  /// Members of a kind stand together, in the order their kinds first come.
  static func text(of expectations: [Scenario.Expectation]) -> String {
    var members: [(kind: String, entries: [String])] = []
    for expectation in expectations {
      let (kind, entry) = entry(of: expectation)
      // A state is said once; of two the file can only hold the last.
      if let index = members.firstIndex(where: { $0.kind == kind }) {
        members[index].entries = kind == "state" ? [entry] : members[index].entries + [entry]
      } else {
        members.append((kind, [entry]))
      }
    }
    let texts = members.map { kind, entries in
      let all = entries.joined(separator: ", ")
      return switch kind {
      case "state": "state: \(all)"
      case "events": "events: [\(all)]"
      default: "\(kind): {\(all)}"
      }
    }
    return "{" + texts.joined(separator: ", ") + "}"
  }

  private static func entry(of expectation: Scenario.Expectation) -> (kind: String, entry: String) {
    switch expectation {
    case .state(let state): ("state", state.rawValue)
    case .event(let name, let count, let detail): ("events", event(name, count, detail))
    case .property(let path, let value): ("property", "\(path): \(value.text)")
    case .evaluate(let expression, let value): ("evaluate", "\(StepWriter.quoted(expression)): \(value.text)")
    }
  }

  private static func event(_ name: String, _ count: Int?, _ detail: JSONValue?) -> String {
    guard count != nil || detail != nil else { return name }
    var members = ["name: \(name)"]
    if let count { members.append("count: \(count)") }
    if let detail { members.append("detail: \(detail.text)") }
    return "{" + members.joined(separator: ", ") + "}"
  }
}
