package import Core
internal import Files
internal import FoundationEssentials
internal import Glibc

/// A recording on the disk while it is made, replayed or edited: exchanges, bodies under their digests, rules.
package struct RecordingFolder: Sendable {
  package let path: String
  /// Further conditions of the recorded render; nil in a recording by another program.
  package var conditions: RecordedConditions? {
    let bytes = try? FileReading.regular(conditionsFile, most: 1 << 20)
    return bytes.flatMap { try? JSONDecoder().decode(RecordedConditions.self, from: Data($0)) }
  }

  /// Maximum number of exchanges, as pages may send any number of requests.
  package static let mostExchanges = 100_000
  /// Maximum number of bytes of the list; heads are bounded, and messages of web sockets are limited by the recorder.
  package static let longestList = 512 << 20

  private init(path: String) { self.path = path }

  private var list: String { "\(path)/exchanges.ndjson" }
  private var bodies: String { "\(path)/bodies" }
  private var rulesFile: String { "\(path)/rules.txt" }
  private var conditionsFile: String { "\(path)/conditions.json" }

  /// Creates an empty recording and its folder.
  package static func create(_ path: String) throws(Fault) -> RecordingFolder {
    let folder = RecordingFolder(path: path)
    do {
      try FileManager.default.createDirectory(atPath: folder.bodies, withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: folder.list))
    } catch {
      throw .writing(path, error)
    }
    return folder
  }

  /// Opens an existing recording; throws `recording-missing` if there is none.
  package static func open(_ path: String) throws(Fault) -> RecordingFolder {
    let folder = RecordingFolder(path: path)
    guard FileManager.default.fileExists(atPath: folder.list) else {
      throw .request("recording-missing", "there is no recording in \(path)")
    }
    return folder
  }

  /// Returns all exchanges in the order of requests, from a list of at most `most` bytes.
  package func exchanges(most: Int = Self.longestList) throws(Fault) -> [Exchange] {
    let bytes: [UInt8]
    do {
      bytes = try FileReading.regular(list, most: most)
    } catch {
      throw .request("recording-broken", "can't read \(list): \(error)")
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard lines.count <= Self.mostExchanges else {
      throw .request("recording-too-large", "the recording has more than \(Self.mostExchanges) requests")
    }
    var exchanges: [Exchange] = []
    for (number, line) in lines.enumerated() {
      guard let exchange = try? JSONDecoder().decode(Exchange.self, from: Data(line)), exchange.isSound else {
        throw .request("recording-broken", "line \(number + 1) of exchanges.ndjson isn't an exchange")
      }
      exchanges.append(exchange)
    }
    return exchanges.sorted { $0.index < $1.index }
  }

  /// Returns the rules that match requests which differ from the recorded ones; none without a file of rules.
  package func rules() throws(Fault) -> [MatchRule] {
    guard FileManager.default.fileExists(atPath: rulesFile) else { return [] }
    do {
      return try MatchRule.all(in: String(decoding: FileReading.regular(rulesFile, most: 1 << 20), as: UTF8.self))
    } catch let fault as Fault {
      throw fault
    } catch {
      throw .request("recording-broken", "can't read \(rulesFile): \(error)")
    }
  }

  /// Appends an exchange.
  package func append(_ exchange: Exchange) throws(Fault) {
    let file = Glibc.open(list, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard file >= 0 else { throw .writing(list, SystemError(errno)) }
    defer { close(file) }
    do {
      try FileWriting.writeAll(try JSONText.bytes(exchange) + [UInt8(ascii: "\n")], to: file)
    } catch {
      throw .writing(list, error)
    }
  }

  /// Replaces all exchanges by these.
  package func replace(_ exchanges: [Exchange]) throws(Fault) {
    do {
      var bytes: [UInt8] = []
      for exchange in exchanges { bytes += try JSONText.bytes(exchange) + [UInt8(ascii: "\n")] }
      try Data(bytes).write(to: URL(fileURLWithPath: list))
    } catch {
      throw .writing(list, error)
    }
  }

  package func write(_ rules: [MatchRule]) throws(Fault) {
    guard !rules.isEmpty else { return }
    do {
      try Data(rules.map { $0.text + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: rulesFile))
    } catch {
      throw .writing(rulesFile, error)
    }
  }

  package func write(_ conditions: RecordedConditions) throws(Fault) {
    do {
      try Data(try JSONText.bytes(conditions)).write(to: URL(fileURLWithPath: conditionsFile))
    } catch {
      throw .writing(conditionsFile, error)
    }
  }

  /// Returns the path of a body; nil if the text isn't a digest, since it could name any file.
  package func bodyPath(_ digest: String) -> String? {
    let isDigest =
      digest.utf8.count == 64 && digest.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    return isDigest ? "\(bodies)/\(digest)" : nil
  }

  /// Returns a whole body of at most `most` bytes.
  package func body(_ content: Exchange.Content, most: Int) throws(Fault) -> [UInt8] {
    guard let path = bodyPath(content.digest) else {
      throw .request("recording-broken", "'\(content.digest)' isn't a digest")
    }
    do {
      return try FileReading.regular(path, most: most)
    } catch {
      throw .request("recording-broken", "can't read a body of the recording: \(error)")
    }
  }

  /// Copies a body from another recording, unless it is there already.
  func take(_ content: Exchange.Content, from other: RecordingFolder) throws(Fault) {
    guard let source = other.bodyPath(content.digest), let target = bodyPath(content.digest) else {
      throw .request("recording-broken", "'\(content.digest)' isn't a digest")
    }
    guard !FileManager.default.fileExists(atPath: target) else { return }
    do {
      try FileManager.default.copyItem(atPath: source, toPath: target)
    } catch {
      throw .writing(target, error)
    }
  }

  /// Reads a body, one piece at a time.
  func read(_ content: Exchange.Content, _ handOn: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard let path = bodyPath(content.digest) else {
      throw Fault.request("recording-broken", "'\(content.digest)' isn't a digest")
    }
    try FilePieces.read(path, handOn)
  }

  /// Creates a file for a body that is written as it arrives.
  package func beginBody() throws(Fault) -> BodyFile { try BodyFile(in: bodies) }

  /// Stores a whole body.
  package func keep(_ bytes: [UInt8], mimeType: String) throws(Fault) -> Exchange.Content {
    let file = try beginBody()
    do {
      try bytes.withUnsafeBytes { try file.write($0) }
    } catch {
      throw error as? Fault ?? .writing(path, error)
    }
    return try file.finish(mimeType: mimeType)
  }
}

/// Conditions of a recorded render: with the same seed and date, a creative sends the same requests again.
package struct RecordedConditions: Codable, Hashable, Sendable {
  package var seed: UInt32?
  /// Date in seconds since 1970.
  package var date: Double?
  /// Requested language as a BCP 47 tag; nil for the default.
  package var locale: String?
  /// Requested time zone by its IANA name; nil for the default.
  package var timeZone: String?
  /// Requested colour scheme; nil for the default.
  package var colorScheme: String?
  /// True if reduced motion was requested; nil otherwise.
  package var reducedMotion: Bool?

  package init(
    seed: UInt32? = nil, date: Double? = nil, locale: String? = nil, timeZone: String? = nil,
    colorScheme: String? = nil, reducedMotion: Bool? = nil
  ) {
    (self.seed, self.date) = (seed, date)
    (self.locale, self.timeZone) = (locale, timeZone)
    (self.colorScheme, self.reducedMotion) = (colorScheme, reducedMotion)
  }
}

/// A body that is being written to the disk.
package final class BodyFile {
  private let folder: String
  /// Path of the temporary file, until the digest is known.
  let path: String
  private var file: Int32
  private let hash = SHA256()
  private var size = 0
  private var isFinished = false

  fileprivate init(in folder: String) throws(Fault) {
    self.folder = folder
    path = "\(folder)/.\(UUID().uuidString)"
    file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else {
      isFinished = true
      throw .writing(path, SystemError(errno))
    }
  }

  deinit {
    close()
    if !isFinished { unlink(path) }
  }

  private func close() {
    if file >= 0 { Glibc.close(file) }
    file = -1
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(Fault) {
    do {
      try FileWriting.writeAll(bytes, to: file)
    } catch {
      throw .writing(path, error)
    }
    hash.update(bytes)
    size += bytes.count
  }

  /// Reads the bytes written so far, from the beginning.
  package func read(_ handOn: (UnsafeRawBufferPointer) throws -> Void) throws {
    try FilePieces.read(path, handOn)
  }

  /// Finishes the body without naming its file, which is deleted with this object.
  func seal() throws(Fault) -> (digest: String, size: Int) {
    close()
    return (hash.finish().hex, size)
  }

  /// Finishes the body and names its file by its digest, which exchanges refer to.
  package func finish(mimeType: String) throws(Fault) -> Exchange.Content {
    isFinished = true
    close()
    let digest = hash.finish().hex
    guard rename(path, "\(folder)/\(digest)") == 0 else { throw .writing(path, SystemError(errno)) }
    return Exchange.Content(digest: digest, size: size, mimeType: mimeType)
  }
}

extension Exchange {
  /// Maximum for any duration or instant in milliseconds: a day.
  static let longestTime = 86_400_000.0
  /// Ranges of places in an order and of bytes of a body, larger than those of any recording.
  private static let places = 0...10_000_000
  private static let sizes = 0...(1 << 40)
  /// Seconds since 1970 whose dates have at most four digits in the year.
  private static let dates = -62_000_000_000.0...253_000_000_000.0

  /// Indicates if all numbers are in range and all text is valid, which a foreign file doesn't guarantee.
  var isSound: Bool {
    let spans = [
      startedAt, arrival?.head, arrival?.end, timing.dns, timing.connect, timing.tls, timing.send, timing.wait,
      timing.receive,
    ]
    let pauses = (response?.pieces ?? []).map(\.after) + (messages ?? []).map(\.after)
    let sizes =
      [response?.wireSize, response?.content?.size, requestBody?.size].compactMap { $0 }
      + (response?.pieces ?? []).map(\.size)
    let places =
      [arrival?.place, arrival?.endPlace].compactMap { $0 } + (response?.pieces ?? []).compactMap(\.place)
      + (messages ?? []).compactMap(\.place)
    let dates = [date, server?.tls?.validFrom, server?.tls?.validTo].compactMap { $0 }
    return (0...RecordingFolder.mostExchanges).contains(index) && (100...999).contains(response?.status ?? 200)
      && (spans.compactMap { $0 } + pauses).allSatisfy { (0...Self.longestTime).contains($0) }
      && sizes.allSatisfy(Self.sizes.contains) && places.allSatisfy(Self.places.contains)
      && dates.allSatisfy(Self.dates.contains) && (messages ?? []).allSatisfy { (0...15).contains($0.opcode) }
      && (0...65_535).contains(server?.port ?? 0) && hasSoundWords
  }

  /// Indicates if the head can be sent safely: its texts contain no line breaks or other control characters.
  private var hasSoundWords: Bool {
    HeadWord.isToken(method) && url.utf8.allSatisfy { $0 > 32 && $0 != 127 } && HeadWord.isValue(response?.reason ?? "")
      && (requestHeaders + (response?.headers ?? [])).allSatisfy {
        HeadWord.isToken($0.name) && HeadWord.isValue($0.value)
      }
  }
}

/// Rules for the texts in a head of HTTP.
enum HeadWord {
  /// Indicates if the text can be a method or a header's name: 1 to 256 token characters.
  static func isToken(_ text: String) -> Bool {
    (1...256).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || "!#$%&'*+-.^_`|~".utf8.contains($0)
      }
  }

  /// Indicates if the text can be a header's value: no control characters except tabs.
  static func isValue(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 } }

  /// Returns the value without forbidden characters.
  static func value(_ text: some StringProtocol) -> String {
    let text = String(text)
    return isValue(text) ? text : String(decoding: text.utf8.filter { $0 >= 32 && $0 != 127 || $0 == 9 }, as: UTF8.self)
  }
}
