/// What kind of thing a slot of the feed is for. Each kind's own file adds its name.
package struct ContentType: RawRepresentable, Hashable, Sendable {
  /// As feed files, features and the event log have it.
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
}
