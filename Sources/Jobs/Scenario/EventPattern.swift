/// How scenarios name logged events: `stateChange`, or `mraid/stateChange` when the source matters.
package struct EventPattern: Hashable, Sendable {
  /// Nil matches every source.
  package var source: Event.Source?
  package var name: String

  /// Events of this source and name.
  package init(source: Event.Source?, name: String) {
    self.source = source
    self.name = name
  }

  /// Nil when the text isn't a name of letters and digits, with or without a known source before a slash.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let last = parts.last, parts.count <= 2, Self.isName(last) else { return nil }
    if parts.count == 2 {
      guard let source = Event.Source(rawValue: String(parts[0])) else { return nil }
      self.source = source
    }
    name = String(last)
  }

  /// Whether the logged event is the one meant.
  package func matches(_ event: Event) -> Bool {
    event.name == name && (source == nil || event.source == source)
  }

  /// A letter, then letters and digits, at most 64 of them.
  static func isName(_ text: Substring) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter, text.count <= 64 else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}
