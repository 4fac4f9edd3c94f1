internal import FoundationEssentials
internal import Jobs
internal import MRAID

extension EventFinding {
  /// One line for people: `creative/open now comes before mraid/viewableChange`.
  package var text: String {
    let event = "\(source.rawValue)/\(name)"
    switch change {
    case .added: return "added \(event)\(Self.brief(detail))"
    case .lost: return "lost \(event)\(Self.brief(detail))"
    case .moved:
      guard let crossing else { return "\(event) moved" }
      return "\(event) now comes \(crossing.now.rawValue) \(crossing.source.rawValue)/\(crossing.name)"
    case .changed:
      let changes = (members ?? []).map { "\($0.path): \(Self.value($0.first)) → \(Self.value($0.second))" }
      return "\(event) changed: \(changes.joined(separator: ", "))"
    }
  }

  private static func brief(_ detail: JSONValue?) -> String {
    guard let detail, detail != .object([:]) else { return "" }
    return " " + value(detail)
  }

  private static func value(_ value: JSONValue?) -> String {
    guard let value else { return "nothing" }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "?"
    return text.count > 80 ? text.prefix(79) + "…" : text
  }
}
