package import Core
internal import Files
internal import FoundationEssentials
internal import Glibc

/// A recording as it lies on the disk while it is made, replayed or edited: exchanges, bodies under their digests, rules.
package struct RecordingFolder: Sendable {
  package let path: String
  /// What a render was recorded with besides; nil in somebody else's recording.
  package var conditions: RecordedConditions? {
    let data = FileManager.default.contents(atPath: conditionsFile)
    return data.flatMap { try? JSONDecoder().decode(RecordedConditions.self, from: $0) }
  }

  /// Pages may ask for any number of things.
  package static let mostExchanges = 100_000
  /// Bytes of a line of the list: heads are bounded, messages of web sockets by the recorder.
  package static let longestList = 512 << 20

  private init(path: String) { self.path = path }

  private var list: String { "\(path)/exchanges.ndjson" }
  private var bodies: String { "\(path)/bodies" }
  private var rulesFile: String { "\(path)/rules.txt" }
  private var conditionsFile: String { "\(path)/conditions.json" }

  /// Makes an empty one, with its folder.
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

  /// One that is there.
  package static func open(_ path: String) throws(Fault) -> RecordingFolder {
    let folder = RecordingFolder(path: path)
    guard FileManager.default.fileExists(atPath: folder.list) else {
      throw .request("recording-missing", "there is no recording in \(path)")
    }
    return folder
  }

  /// All exchanges in the order of asking, of a list of so many bytes at most.
  package func exchanges(most: Int = Self.longestList) throws(Fault) -> [Exchange] {
    let bytes: [UInt8]
    do {
      bytes = try FileReading.regular(list, most: most)
    } catch {
      throw .request("recording-broken", "\(list) can't be read: \(error)")
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard lines.count <= Self.mostExchanges else {
      throw .request("recording-too-large", "the recording has more than \(Self.mostExchanges) requests")
    }
    var exchanges: [Exchange] = []
    for (number, line) in lines.enumerated() {
      guard let exchange = try? JSONDecoder().decode(Exchange.self, from: Data(line)), exchange.isSound else {
        throw .request("recording-broken", "line \(number + 1) of exchanges.ndjson is no exchange")
      }
      exchanges.append(exchange)
    }
    return exchanges.sorted { $0.index < $1.index }
  }

  /// By which rules requests are matched that aren't the same; none where there is no such file.
  package func rules() throws(Fault) -> [MatchRule] {
    guard let data = FileManager.default.contents(atPath: rulesFile) else { return [] }
    return try MatchRule.all(in: String(decoding: data.prefix(1 << 20), as: UTF8.self))
  }

  /// Adds an exchange.
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

  /// Puts these in the place of all exchanges.
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

  /// Where a body is; nil for what is no digest, which could lead anywhere.
  package func bodyPath(_ digest: String) -> String? {
    let isDigest = digest.utf8.count == 64 && digest.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    return isDigest ? "\(bodies)/\(digest)" : nil
  }

  /// A body that is all there.
  package func body(_ content: Exchange.Content, most: Int) throws(Fault) -> [UInt8] {
    guard let path = bodyPath(content.digest) else {
      throw .request("recording-broken", "'\(content.digest)' is no digest")
    }
    do {
      return try FileReading.regular(path, most: most)
    } catch {
      throw .request("recording-broken", "a body of the recording can't be read: \(error)")
    }
  }

  /// Takes a body over from another recording.
  func take(_ content: Exchange.Content, from other: RecordingFolder) throws(Fault) {
    guard let source = other.bodyPath(content.digest), let target = bodyPath(content.digest) else {
      throw .request("recording-broken", "'\(content.digest)' is no digest")
    }
    guard !FileManager.default.fileExists(atPath: target) else { return }
    do {
      try FileManager.default.copyItem(atPath: source, toPath: target)
    } catch {
      throw .writing(target, error)
    }
  }

  /// Hands on a body, a piece at a time.
  func read(_ content: Exchange.Content, _ handOn: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard let path = bodyPath(content.digest) else {
      throw Fault.request("recording-broken", "'\(content.digest)' is no digest")
    }
    try FilePieces.read(path, handOn)
  }

  /// Begins a body, which is written as it comes.
  package func beginBody() throws(Fault) -> BodyFile { try BodyFile(in: bodies) }

  /// Keeps a body that is all there.
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

/// What a render was recorded with besides: with the same chance and day a creative asks for the same again.
package struct RecordedConditions: Codable, Hashable, Sendable {
  package var seed: UInt32?
  /// Seconds since 1970.
  package var date: Double?

  package init(seed: UInt32? = nil, date: Double? = nil) {
    self.seed = seed
    self.date = date
  }
}

/// A body on its way to the disk.
package final class BodyFile {
  private let folder: String
  /// Where it is until it has a name.
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

  /// Hands on what has been written, from the beginning.
  package func read(_ handOn: (UnsafeRawBufferPointer) throws -> Void) throws {
    try FilePieces.read(path, handOn)
  }

  /// Ends it without a name: it goes with the value.
  func seal() throws(Fault) -> (digest: String, size: Int) {
    close()
    return (hash.finish().hex, size)
  }

  /// Gives it the name by which exchanges know it.
  package func finish(mimeType: String) throws(Fault) -> Exchange.Content {
    isFinished = true
    close()
    let digest = hash.finish().hex
    guard rename(path, "\(folder)/\(digest)") == 0 else { throw .writing(path, SystemError(errno)) }
    return Exchange.Content(digest: digest, size: size, mimeType: mimeType)
  }
}

extension Exchange {
  /// The longest time that anything may say, in milliseconds: a day.
  static let longestTime = 86_400_000.0
  /// Places in an order, and bytes of a body: more than any recording has.
  private static let places = 0...10_000_000
  private static let sizes = 0...(1 << 40)
  /// Seconds since 1970 that have a date of four digits.
  private static let dates = -62_000_000_000.0...253_000_000_000.0

  /// Whether its numbers are in their bounds and its words are such, which whoever wrote the file may not have minded.
  var isSound: Bool {
    let spans = [
      startedAt, arrival?.head, arrival?.end, timing.dns, timing.connect, timing.tls, timing.send, timing.wait,
      timing.receive,
    ]
    let pauses = (response?.pieces ?? []).map(\.after) + (messages ?? []).map(\.after)
    let sizes =
      [response?.wireSize, response?.content?.size, requestBody?.size].compactMap { $0 } + (response?.pieces ?? []).map(\.size)
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

  /// Whether it can be sent as it is: nothing in it ends a line.
  private var hasSoundWords: Bool {
    HeadWord.isToken(method) && url.utf8.allSatisfy { $0 > 32 && $0 != 127 } && HeadWord.isValue(response?.reason ?? "")
      && (requestHeaders + (response?.headers ?? [])).allSatisfy { HeadWord.isToken($0.name) && HeadWord.isValue($0.value) }
  }
}

/// What may stand in a head of HTTP.
enum HeadWord {
  /// A method, or a line's name.
  static func isToken(_ text: String) -> Bool {
    (1...256).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || "!#$%&'*+-.^_`|~".utf8.contains($0) }
  }

  /// What stands behind it: anything that ends no line.
  static func isValue(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 } }

  /// A value without what may not be in one.
  static func value(_ text: some StringProtocol) -> String {
    let text = String(text)
    return isValue(text) ? text : String(decoding: text.utf8.filter { $0 >= 32 && $0 != 127 || $0 == 9 }, as: UTF8.self)
  }
}
