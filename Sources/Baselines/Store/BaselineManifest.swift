package import MRAID

/// What one creative looked like and did when somebody was content with it: Schemas/baseline.schema.json.
package struct BaselineManifest: Hashable, Sendable, Codable {
  package struct Picture: Hashable, Sendable, Codable {
    /// The file's name in `screenshots`, without `.png`.
    package let name: String
    /// Of the file in the store, which bears this name.
    package var sha256: String
    /// Of the file that was drawn, which is compressed less: a picture of the same bytes needn't be decoded.
    package var drawn: String
    /// No two renders of it agreed, so that it may differ.
    package var flaky: Bool?

    package init(name: String, sha256: String, drawn: String, isFlaky: Bool = false) {
      (self.name, self.sha256, self.drawn) = (name, sha256, drawn)
      flaky = isFlaky ? true : nil
    }
  }

  /// The event log without what differs from run to run.
  package struct Log: Hashable, Sendable, Codable {
    package let sha256: String
    package let count: Int
    package var flaky: Bool?

    package init(sha256: String, count: Int, isFlaky: Bool = false) {
      (self.sha256, self.count) = (sha256, count)
      flaky = isFlaky ? true : nil
    }
  }

  /// The version of this document's shape.
  package private(set) var schema = 1
  /// The path from the store's parent folder, or the address.
  package let source: String
  /// Of the fingerprint's file in the store.
  package var fingerprint: String
  /// The states the ad went through.
  package var states: [MRAIDState]
  /// By name.
  package var pictures: [Picture]
  package var events: Log

  package init(source: String, fingerprint: String, states: [MRAIDState], pictures: [Picture], events: Log) {
    (self.source, self.fingerprint, self.states, self.events) = (source, fingerprint, states, events)
    self.pictures = pictures.sorted { $0.name < $1.name }
  }

  /// Everything of the store's that it refers to.
  package var objects: Set<String> {
    Set(pictures.map { "\($0.sha256).png" } + ["\(events.sha256).ndjson", "\(fingerprint).json"])
  }
}
