package import Core
internal import Creatives
internal import FoundationEssentials
package import MRAID
package import RenderModel

/// Approved pictures, event log and states of one creative: Schemas/baseline.schema.json.
package struct BaselineManifest: Hashable, Sendable, Codable {
  package struct Screenshot: Hashable, Sendable, Codable {
    /// Additional accepted contents of a picture that renders in more than one way.
    package struct Variant: Hashable, Sendable, Codable {
      package let sha256: String
      package let drawn: String

      package init(sha256: String, drawn: String) { (self.sha256, self.drawn) = (sha256, drawn) }
    }

    /// Maximum number of variants of one picture, since each one is compared in turn.
    package static let mostVariants = 8

    /// The file's name in `screenshots`, without `.png`.
    package var name: String
    /// Hash of the file in the store, which is named by it.
    package var sha256: String
    /// Hash of the file as it was drawn, before recompression: a picture with the same bytes needn't be decoded.
    package var drawn: String
    /// True if no two renders of the picture agreed, so that it may differ.
    package var flaky: Bool?
    /// Accepted variants; nil for none.
    package var variants: [Variant]?

    package init(name: String, sha256: String, drawn: String, isFlaky: Bool = false) {
      (self.name, self.sha256, self.drawn) = (name, sha256, drawn)
      flaky = isFlaky ? true : nil
    }

    /// Hashes of all accepted files in the store, beginning with the picture's own.
    package var accepted: [String] { [sha256] + (variants ?? []).map(\.sha256) }

    /// Returns true if the hash is that of an accepted file as it was drawn, so that the file needn't be decoded.
    package func wasDrawn(as hash: String) -> Bool { drawn == hash || variants?.contains { $0.drawn == hash } == true }
  }

  /// Event log without the parts that differ from run to run.
  package struct Log: Hashable, Sendable, Codable {
    package let sha256: String
    package let count: Int
    package var flaky: Bool?

    package init(sha256: String, count: Int, isFlaky: Bool = false) {
      (self.sha256, self.count) = (sha256, count)
      flaky = isFlaky ? true : nil
    }
  }

  /// Schema version of this document.
  package private(set) var schema = Galley.schema
  /// Path of the creative from the store's parent folder, or its URL.
  package let source: String
  /// Hash of the fingerprint's file in the store.
  package var fingerprint: String
  /// The states the ad went through.
  package var states: [MRAIDState]
  /// Pictures, sorted by name.
  package var screenshots: [Screenshot]
  package var events: Log
  /// Seed of random numbers in the baseline's renders; nil if unknown.
  package var seed: UInt32?
  /// Start date of the virtual clock, in seconds since 1970; nil for each render's own date.
  package var date: Double?
  /// Requested language; nil for the default, and in baselines of older versions.
  package var locale: LanguageTag?
  /// Requested time zone; nil for UTC, and in baselines of older versions.
  package var timeZone: TimeZoneName?
  /// Requested colour scheme; nil for light, and in baselines of older versions.
  package var colorScheme: ColorScheme?
  /// True if reduced motion was requested; nil if not, and in baselines of older versions.
  package var reducedMotion: Bool?
  /// Creative's files as they were handed in; nil in baselines of older versions.
  package var files: DeliveredFiles?

  package init(
    source: String, fingerprint: String, states: [MRAIDState], screenshots: [Screenshot], events: Log,
    seed: UInt32? = nil, date: Double? = nil, settings: UserSettings = UserSettings(), files: DeliveredFiles? = nil
  ) {
    self.files = files
    (locale, timeZone) = (settings.locale, settings.timeZone)
    (colorScheme, reducedMotion) = (settings.colorScheme, settings.reducedMotion)
    (self.source, self.fingerprint, self.states, self.events) = (source, fingerprint, states, events)
    (self.seed, self.date) = (seed, date)
    self.screenshots = screenshots.sorted { $0.name < $1.name }
  }

  /// Names of all files in the store that the manifest refers to.
  package var objects: Set<String> {
    Set(screenshots.flatMap(\.accepted).map { "\($0).png" } + ["\(events.sha256).ndjson", "\(fingerprint).json"])
  }
}

/// Key of a baseline: the creative and the conditions of its render.
package struct BaselineKey: Hashable, Sendable, Codable, Comparable {
  /// Creative's path from the folder that holds the store, with `..` written as `up`; or `url/…`. Safe as a path.
  package let creative: String
  /// Device and further conditions: `iphone-15`, `pixel-8.landscape.prebid-ios`. Safe as a file name.
  package let variant: String

  package init(creative: String, variant: String) {
    (self.creative, self.variant) = (creative, variant)
  }

  /// Decodes a key from a file or artifact, and rejects names that aren't safe as paths.
  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let creative = try members.decode(String.self, forKey: .creative)
    let variant = try members.decode(String.self, forKey: .variant)
    self.init(creative: creative, variant: variant)
    guard isPlain else {
      throw DecodingError.dataCorruptedError(
        forKey: .creative, in: members, debugDescription: "a key must be a plain name")
    }
  }

  /// Indicates if the key is a path below a folder without hidden or overlong parts.
  package var isPlain: Bool {
    let path = "\(creative)/\(variant)"
    guard AbsolutePath.isPlain(path), !variant.utf8.contains(UInt8(ascii: "/")) else { return false }
    return path.utf8.split(separator: UInt8(ascii: "/")).allSatisfy {
      $0.first != UInt8(ascii: ".") && $0.count <= 250
    }
  }

  package static func < (first: BaselineKey, second: BaselineKey) -> Bool {
    (first.creative, first.variant) < (second.creative, second.variant)
  }

  /// Key as `creative@variant`, the form that commands print and that patterns may use.
  package var text: String { "\(creative)@\(variant)" }
}

extension BaselineKey {
  /// Makes the key of a creative in a store that lies in `folder`; both paths are absolute with links resolved.
  /// - Throws: a request's fault for standard input, which has no name for a key.
  package init(_ creative: CreativeReference, from folder: String, variant: [String]) throws(Fault) {
    let name: String
    if creative.argument == "-" {
      throw .request("baseline-name-missing", "standard input has no name for a baseline: save it to a file")
    } else if let path = creative.path {
      let way = Self.relative(path, from: folder) + Self.parts(creative.inner ?? "")
      name = way.map { $0 == ".." ? "up" : SafeName.make($0) }.joined(separator: "/")
    } else {
      // Addresses may differ in what a name can't hold.
      name = "url/\(SafeName.make(creative.name))-\(Document.hash(of: Array(creative.argument.utf8)).prefix(8))"
    }
    self.init(creative: name, variant: SafeName.make(variant.joined(separator: ".")))
  }

  /// Returns the relative path from a folder to a path as its parts; both are absolute.
  package static func relative(_ path: String, from folder: String) -> [String] {
    let (target, start) = (parts(path), parts(folder))
    let common = zip(target, start).prefix { $0 == $1 }.count
    return Array(repeating: "..", count: start.count - common) + target[common...]
  }

  /// Returns the parts of a path, split by bytes.
  ///
  /// A slash and a combining mark after it form one character, but the slash still separates.
  private static func parts(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }
}

/// JSON format of baselines: equal values give equal bytes, one member per line, so that git diffs are readable.
package enum Document {
  /// Returns the value as indented JSON with sorted keys and one line feed at the end.
  package static func bytes(_ value: some Encodable) -> [UInt8] {
    // Only numbers that aren't finite can't be encoded, and none of these values has a way to get one.
    guard let bytes = try? JSONText.bytes(value, isIndented: true) else {
      preconditionFailure("a value without a JSON form")
    }
    return bytes + [UInt8(ascii: "\n")]
  }

  /// Returns the SHA-256 of a value's JSON in lower-case hex.
  ///
  /// The argument label keeps it apart from `hash(of:)`, since an array of bytes is encodable too.
  package static func hash(ofJSON value: some Encodable) -> String { hash(of: bytes(value)) }

  /// Returns the SHA-256 of bytes in lower-case hex.
  package static func hash(of bytes: [UInt8]) -> String { SHA256.of(bytes).hex }
}

/// Event log without the parts that differ from run to run: one object per line, with source, name and detail.
package enum NormalisedLog {
  private struct Line: Codable {
    let source: Event.Source
    let name: String
    let detail: JSONValue
  }

  /// Encodes events; equal events give equal bytes, independent of their times.
  package static func bytes(_ events: [Event]) -> [UInt8] {
    return events.flatMap { event in
      let key = EventKey(event)
      let line = try? JSONText.bytes(Line(source: key.source, name: key.name, detail: key.detail))
      return (line ?? []) + [UInt8(ascii: "\n")]
    }
  }

  /// Decodes the events, numbered by their lines; nil if the bytes are no such log.
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
