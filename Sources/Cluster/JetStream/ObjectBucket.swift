package import Core
internal import FoundationEssentials
internal import Synchronization

/// Description of an object, in the form that every client of NATS reads (ADR-20).
package struct ObjectInfo: Hashable, Sendable, Codable {
  package struct Options: Hashable, Sendable, Codable {
    /// Another object to which this one is a link.
    package struct Link: Hashable, Sendable, Codable {
      package var bucket: String
      package var name: String?
    }

    package var max_chunk_size: Int?
    package var link: Link?
  }

  package var name: String
  package var description: String?
  package var options: Options?
  package var bucket: String?
  /// Unique id in the subject of its pieces.
  package var nuid: String
  /// Number of bytes; `chunks` is the number of pieces.
  package var size: Int
  package var chunks: Int
  /// `SHA-256=` and the digest in URL-safe base64.
  package var digest: String?
  package var deleted: Bool?
  package var mtime: String?
  /// Time at which the bucket received it, in milliseconds since 1970; not part of the stored description.
  package internal(set) var timestamp: Int64 = 0

  private enum CodingKeys: String, CodingKey {
    case name, description, options, bucket, nuid, size, chunks, digest, deleted, mtime
  }
}

/// Bucket of objects of any size by name, stored as pieces in a stream.
package struct ObjectBucket: Sendable {
  /// Number of bytes of a piece, as other clients use.
  package static let chunkSize = 131_072

  private let nats: NatsConnection
  package let name: String
  private var stream: String { "OBJ_\(name)" }
  private var chunks: String { "$O.\(name).C" }

  /// Opens the bucket, and creates it if it doesn't exist.
  package static func open(_ settings: BucketSettings, on nats: NatsConnection) async throws(Fault) -> ObjectBucket {
    let bucket = ObjectBucket(nats: nats, name: settings.name)
    var stream = StreamSettings(
      bucket.stream, subjects: ["$O.\(settings.name).C.>", "$O.\(settings.name).M.>"])
    (stream.age, stream.mostBytes, stream.replicas) = (settings.age, settings.mostBytes, settings.replicas)
    stream.allowsRollup = true
    do throws(Fault) {
      _ = try await nats.stateOfStream(bucket.stream)
    } catch let error where error.has(.natsStreamMissing) {
      try await nats.makeStream(stream)
    }
    return bucket
  }

  private init(nats: NatsConnection, name: String) { (self.nats, self.name) = (nats, name) }

  /// Stores an object in place of an existing one of the name; `next` returns pieces of any size, nil at the end.
  @discardableResult package func put(
    _ object: String, _ next: @escaping @Sendable () throws(Fault) -> [UInt8]?
  ) async throws(Fault) -> ObjectInfo {
    try await put(object, over: try await info(object), next)
  }

  /// Stores an object in place of the known one, whose pieces are removed; nil for none.
  @discardableResult package func put(
    _ object: String, over before: ObjectInfo?, _ next: @escaping @Sendable () throws(Fault) -> [UInt8]?
  ) async throws(Fault) -> ObjectInfo {
    try await nats.call { [self] (nats) throws(Fault) in
      let nuid = Self.newNUID()
      let info: ObjectInfo
      do throws(Fault) {
        info = try blockingSend(object, nuid, next)
      } catch {
        // Pieces of what nobody can find; if they can't be removed now, they go with age.
        try? nats.blockingPurge(stream, subject: "\(chunks).\(nuid)")
        throw error
      }
      // Without an answer this may have been written all the same, or be written yet: then the pieces are needed.
      try blockingAnnounce(info)
      if let before { try nats.blockingPurge(stream, subject: "\(chunks).\(before.nuid)") }
      return info
    }
  }

  /// Stores an object whose bytes are all in memory.
  @discardableResult package func put(_ object: String, bytes: [UInt8]) async throws(Fault) -> ObjectInfo {
    let once = Once(bytes)
    return try await put(object) { () throws(Fault) in once.take() }
  }

  private func blockingSend(
    _ object: String, _ nuid: String, _ next: () throws(Fault) -> [UInt8]?
  ) throws(Fault) -> ObjectInfo {
    let hash = SHA256()
    var (size, count, rest) = (0, 0, [UInt8]())
    func send(_ piece: [UInt8]) throws(Fault) {
      hash.update(piece)
      try nats.blockingPublish(NatsMessage("\(chunks).\(nuid)", piece))
      (size, count) = (size + piece.count, count + 1)
    }
    while let more = try next() {
      rest += more
      var begin = 0
      while rest.count - begin >= Self.chunkSize {
        try send(Array(rest[begin..<begin + Self.chunkSize]))
        begin += Self.chunkSize
      }
      rest.removeFirst(begin)
    }
    if !rest.isEmpty { try send(rest) }
    return ObjectInfo(
      name: object, options: .init(max_chunk_size: Self.chunkSize), bucket: name, nuid: nuid, size: size,
      chunks: count, digest: "SHA-256=\(Self.base64(hash.finish().bytes))", mtime: Self.now)
  }

  /// Writes the description of an object in place of the previous one.
  private func blockingAnnounce(_ info: ObjectInfo) throws(Fault) {
    guard let text = JSONText.plain(info) else { throw .engine(.natsFailed, "\(info.name) can't be encoded as JSON") }
    try nats.blockingPublish(
      NatsMessage(metaSubject(info.name), Array(text.utf8), headers: ["Nats-Rollup": "sub"]))
  }

  /// Returns the description of an object, from the server that leads the bucket; nil for one that isn't there.
  package func info(_ object: String) async throws(Fault) -> ObjectInfo? {
    let info = try await nats.call { [self] (_) throws(Fault) in try blockingInfo(object) }
    return info?.deleted == true ? nil : info
  }

  /// Returns a description that is or recently was current, from any server that stores the bucket; nil if that server
  /// has none.
  package func glance(_ object: String) async throws(Fault) -> ObjectInfo? {
    let info = try await nats.call { [self] (nats) throws(Fault) in
      try nats.blockingGlance(at: stream, subject: metaSubject(object)).map(read)
    }
    return info?.deleted == true ? nil : info
  }

  /// Indicates if all pieces of an object are stored, and not only its description; always true for an object without
  /// bytes.
  package func hasPieces(_ info: ObjectInfo) async throws(Fault) -> Bool {
    guard info.size > 0 else { return true }
    let subject = "\(chunks).\(info.nuid)"
    return try await nats.stateOfStream(stream, subjects: subject).subjects[subject] == UInt64(clamping: info.chunks)
  }

  private func blockingInfo(_ object: String) throws(Fault) -> ObjectInfo? {
    try nats.blockingLastMessage(of: stream, subject: metaSubject(object)).map(read)
  }

  private func read(_ message: NatsMessage) throws(Fault) -> ObjectInfo {
    guard var info = try? JSONDecoder().decode(ObjectInfo.self, from: Data(message.bytes)), info.size >= 0 else {
      throw .engine(.natsObjectBroken, "\(name) has unreadable metadata of an object")
    }
    info.timestamp = message.timestamp
    return info
  }

  /// Reads an object in pieces, and verifies its digest at the end; the pieces that `body` got are valid only if this
  /// returns.
  @discardableResult package func read(
    _ object: String, _ body: @escaping @Sendable ([UInt8]) throws(Fault) -> Void
  ) async throws(Fault) -> ObjectInfo {
    guard let info = try await info(object) else {
      throw .engine(.natsObjectMissing, "\(name) has no \(object)")
    }
    try await read(info, body)
    return info
  }

  /// Reads the object of a known description in pieces, and verifies its digest at the end.
  package func read(
    _ info: ObjectInfo, _ body: @escaping @Sendable ([UInt8]) throws(Fault) -> Void
  ) async throws(Fault) {
    guard info.options?.link == nil else {
      throw .engine(.natsObjectBroken, "\(info.name) of \(name) is only a link to another object")
    }
    try await nats.call { [self] (_) throws(Fault) in try blockingRead(info, body) }
  }

  private func blockingRead(_ info: ObjectInfo, _ body: ([UInt8]) throws(Fault) -> Void) throws(Fault) {
    let hash = SHA256()
    var (size, sequence) = (0, UInt64(1))
    while size < info.size {
      let subject = "\(chunks).\(info.nuid)"
      // Any server that keeps it answers first, and may be some moments behind the one that leads.
      var piece = try nats.blockingMessage(of: stream, from: sequence, subject: subject)
      if piece == nil { piece = try nats.blockingLeadersMessage(of: stream, from: sequence, subject: subject) }
      guard let piece, !piece.bytes.isEmpty else { break }
      hash.update(piece.bytes)
      (size, sequence) = (size + piece.bytes.count, piece.sequence + 1)
      try body(piece.bytes)
    }
    guard size == info.size, Self.isDigest(info.digest, hash.finish()) else {
      throw .engine(.natsObjectBroken, "\(info.name) of \(name) is corrupt: \(size) of \(info.size) bytes")
    }
  }

  /// Returns the bytes of a small object; throws `nats-too-large` if there are more than `most`.
  package func bytes(_ object: String, most: Int) async throws(Fault) -> [UInt8] {
    let all = Collected(most)
    try await read(object) { (piece) throws(Fault) in
      guard all.add(piece) else {
        throw .engine("nats-too-large", "\(object) is larger than \(most) bytes")
      }
    }
    return all.bytes
  }

  /// Removes an object; does nothing for one that isn't there.
  package func remove(_ object: String) async throws(Fault) {
    try await nats.call { [self] (_) throws(Fault) in
      guard var info = try blockingInfo(object), info.deleted != true else { return }
      (info.deleted, info.size, info.chunks, info.digest, info.mtime) = (true, 0, 0, "", Self.now)
      try blockingAnnounce(info)
      try nats.blockingPurge(stream, subject: "\(chunks).\(info.nuid)")
    }
  }

  /// Renews an object that is still needed, so that it is as new as one that was just stored.
  package func touch(_ info: ObjectInfo) async throws(Fault) {
    try await nats.call { [self] (_) throws(Fault) in
      var info = info
      info.mtime = Self.now
      try blockingAnnounce(info)
    }
  }

  /// Returns the milliseconds since an object was written, by this machine's clock.
  package func age(of info: ObjectInfo) -> Int64 {
    Int64(Bounded.int(Date().timeIntervalSince1970 * 1000, in: 0...Int.max)) - info.timestamp
  }

  /// Returns the form of a SHA-256 in descriptions of objects; nil for a text that isn't one in hex.
  package static func digest(hex: String) -> String? {
    guard hex.utf8.count == 64 else { return nil }
    let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    return bytes.count == 32 ? "SHA-256=\(base64(bytes))" : nil
  }

  /// Page of a bucket's objects; `next` is the place at which the next page begins, nil after the last.
  package struct Page: Sendable {
    package var objects: [ObjectInfo]
    package var next: UInt64?
  }

  /// Returns objects that were written before a time in milliseconds since 1970, the oldest first, at most `most`.
  ///
  /// The bucket returns them in that order: of newer objects only the first is read.
  package func list(
    most: Int, writtenBefore limit: Int64 = .max, from first: UInt64 = 1
  ) async throws(Fault) -> Page {
    try await nats.call { [self] (_) throws(Fault) in
      var (found, sequence): ([ObjectInfo], UInt64) = ([], first)
      while let message = try nats.blockingMessage(of: stream, from: sequence, subject: "$O.\(name).M.>"),
        message.timestamp < limit
      {
        if found.count == most { return Page(objects: found, next: sequence) }
        sequence = message.sequence + 1
        if let info = try? read(message), info.deleted != true { found.append(info) }
      }
      return Page(objects: found, next: nil)
    }
  }

  private func metaSubject(_ object: String) -> String { "$O.\(name).M.\(Self.base64(Array(object.utf8)))" }

  private static func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().map { $0 == "+" ? "-" : $0 == "/" ? "_" : String($0) }.joined()
  }

  private static func isDigest(_ text: String?, _ digest: Digest) -> Bool {
    guard let text, let equals = text.firstIndex(of: "="), text[..<equals].uppercased() == "SHA-256" else {
      return false
    }
    let trimmed = { (text: String) in String(text.reversed().drop { $0 == "=" }.reversed()) }
    return trimmed(String(text[text.index(after: equals)...])) == trimmed(base64(digest.bytes))
  }

  /// Returns 22 random characters that identify an object uniquely.
  private static func newNUID() -> String {
    let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    return String((0..<22).map { _ in digits[Int.random(in: 0..<digits.count)] })
  }

  private static var now: String { Date().ISO8601Format() }
}

/// Bytes that can be taken once.
private final class Once: Sendable {
  private let bytes: Mutex<[UInt8]?>

  init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

  func take() -> [UInt8]? {
    bytes.withLock { bytes in
      defer { bytes = nil }
      return bytes
    }
  }
}

/// Buffer that joins pieces, up to a limit.
private final class Collected: Sendable {
  private let most: Int
  private let all = Mutex<[UInt8]>([])

  init(_ most: Int) { self.most = most }

  var bytes: [UInt8] { all.withLock { $0 } }

  /// Appends a piece; returns false if the limit would be exceeded.
  func add(_ piece: [UInt8]) -> Bool {
    all.withLock { all in
      guard all.count + piece.count <= most else { return false }
      all += piece
      return true
    }
  }
}
