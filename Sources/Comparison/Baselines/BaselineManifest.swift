package import Core
internal import Creatives
internal import FoundationEssentials
package import MRAID
package import RenderModel

/// What one creative looked like and did when somebody was content with it: Schemas/baseline.schema.json.
package struct BaselineManifest: Hashable, Sendable, Codable {
  package struct Screenshot: Hashable, Sendable, Codable {
    /// Further contents that are as good, of a picture that comes out in more than one way.
    package struct Variant: Hashable, Sendable, Codable {
      package let sha256: String
      package let drawn: String

      package init(sha256: String, drawn: String) { (self.sha256, self.drawn) = (sha256, drawn) }
    }

    /// The most variants of one picture: each is compared in its turn.
    package static let mostVariants = 8

    /// The file's name in `screenshots`, without `.png`.
    package var name: String
    /// Of the file in the store, which bears this name.
    package var sha256: String
    /// Of the file that was drawn, which is compressed less: a picture of the same bytes needn't be decoded.
    package var drawn: String
    /// No two renders of it agreed, so that it may differ.
    package var flaky: Bool?
    /// Nil for none.
    package var variants: [Variant]?

    package init(name: String, sha256: String, drawn: String, isFlaky: Bool = false) {
      (self.name, self.sha256, self.drawn) = (name, sha256, drawn)
      flaky = isFlaky ? true : nil
    }

    /// Files of the store with contents that are accepted, the first one's own.
    package var accepted: [String] { [sha256] + (variants ?? []).map(\.sha256) }

    /// Whether a file of these bytes, by their hash, needn't be decoded to be accepted.
    package func wasDrawn(as hash: String) -> Bool { drawn == hash || variants?.contains { $0.drawn == hash } == true }
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
  package private(set) var schema = Galley.schema
  /// The path from the store's parent folder, or the address.
  package let source: String
  /// Of the fingerprint's file in the store.
  package var fingerprint: String
  /// The states the ad went through.
  package var states: [MRAIDState]
  /// By name.
  package var screenshots: [Screenshot]
  package var events: Log
  /// What chance began from in its renders; nil for what nobody knows.
  package var seed: UInt32?
  /// The date that it found with the virtual clock, in seconds since 1970; nil for each render's own.
  package var date: Double?

  package init(
    source: String, fingerprint: String, states: [MRAIDState], screenshots: [Screenshot], events: Log,
    seed: UInt32? = nil, date: Double? = nil
  ) {
    (self.source, self.fingerprint, self.states, self.events) = (source, fingerprint, states, events)
    (self.seed, self.date) = (seed, date)
    self.screenshots = screenshots.sorted { $0.name < $1.name }
  }

  /// Everything of the store's that it refers to.
  package var objects: Set<String> {
    Set(screenshots.flatMap(\.accepted).map { "\($0).png" } + ["\(events.sha256).ndjson", "\(fingerprint).json"])
  }
}

/// What tells one baseline from another: the creative, and how it was shown.
package struct BaselineKey: Hashable, Sendable, Codable, Comparable {
  /// The creative's path from the folder that holds the store, `..` written as `up`; or `url/…`. Safe as a path.
  package let creative: String
  /// The device, then whatever else was asked for: `iphone-15`, `pixel-8.landscape.prebid-ios`. Safe as a file name.
  package let variant: String

  package init(creative: String, variant: String) {
    (self.creative, self.variant) = (creative, variant)
  }

  package static func < (first: BaselineKey, second: BaselineKey) -> Bool {
    (first.creative, first.variant) < (second.creative, second.variant)
  }

  /// `creative@variant`, as commands print it and patterns may write it.
  package var text: String { "\(creative)@\(variant)" }
}

extension BaselineKey {
  /// The key of a creative in a store that lies in `folder`; both paths absolute, links resolved.
  /// - Throws: a request's fault for standard input, which has no name to be known by.
  package init(_ creative: CreativeReference, from folder: String, variant: [String]) throws(Fault) {
    let name: String
    if creative.argument == "-" {
      throw .request("baseline-name-missing", "standard input has no name to keep a baseline by: save it to a file")
    } else if let path = creative.path {
      name = Self.relative(path, from: folder).map { $0 == ".." ? "up" : SafeName.make($0) }.joined(separator: "/")
    } else {
      // Addresses may differ in what a name can't hold.
      name = "url/\(SafeName.make(creative.name))-\(Document.hash(of: Array(creative.argument.utf8)).prefix(8))"
    }
    self.init(creative: name, variant: SafeName.make(variant.joined(separator: ".")))
  }

  /// The way from a folder to a path, both absolute.
  package static func relative(_ path: String, from folder: String) -> [String] {
    let (target, start) = (parts(path), parts(folder))
    let common = zip(target, start).prefix { $0 == $1 }.count
    return Array(repeating: "..", count: start.count - common) + target[common...]
  }

  /// A slash with a combining mark after it is one character, but still separates.
  private static func parts(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }
}

/// JSON as baselines keep it: the same value gives the same bytes, a member a line, so that git shows what changed.
package enum Document {
  /// Indented, keys sorted, one line feed at the end.
  package static func bytes(_ value: some Encodable) -> [UInt8] {
    // Only numbers that aren't finite can't be encoded, and none of these values has a way to get one.
    guard let bytes = try? JSONText.bytes(value, isIndented: true) else {
      preconditionFailure("a value without a JSON form")
    }
    return bytes + [UInt8(ascii: "\n")]
  }

  /// SHA-256 of a value in its JSON form, in lower-case hex; a label apart, since an array of bytes has one too.
  package static func hash(ofJSON value: some Encodable) -> String { hash(of: bytes(value)) }

  /// SHA-256 in lower-case hex.
  package static func hash(of bytes: [UInt8]) -> String { SHA256.of(bytes).hex }
}

/// An event log without what differs from run to run: one object a line, with source, name and detail.
package enum NormalisedLog {
  private struct Line: Codable {
    let source: Event.Source
    let name: String
    let detail: JSONValue
  }

  /// The same events give the same bytes, whenever they happened.
  package static func bytes(_ events: [Event]) -> [UInt8] {
    return events.flatMap { event in
      let key = EventKey(event)
      let line = try? JSONText.bytes(Line(source: key.source, name: key.name, detail: key.detail))
      return (line ?? []) + [UInt8(ascii: "\n")]
    }
  }

  /// The events, numbered by their lines; nil when it is no such log.
  package static func events(_ bytes: [UInt8]) -> [Event]? {
    let decoder = JSONDecoder()
    var events: [Event] = []
    for (number, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      guard let line = try? decoder.decode(Line.self, from: Data(line)) else { return nil }
      events.append(Event(seq: number, t: 0, source: line.source, name: line.name, detail: line.detail))
    }
    return events
  }
}
