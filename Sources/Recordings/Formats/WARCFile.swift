internal import CZlib
internal import Core

/// A web archive being written (ISO 28500, WARC/1.1); each record is its own gzip member, so that it can be read alone.
final class WARCFile {
  /// Offset and length of a record in the file.
  struct Place: Hashable {
    let offset: Int
    let length: Int
  }
  /// Block of a record: a head, and a body after it.
  struct Block {
    var head: [UInt8]
    var content: Exchange.Content?
  }

  let file: BodyFile
  private let folder: RecordingFolder
  private var size = 0

  init(_ folder: RecordingFolder) throws {
    self.folder = folder
    file = try folder.beginBody()
  }

  /// Writes a record with the given header lines and those that describe its block.
  func write(_ fields: [(name: String, value: String)], _ block: Block) throws -> Place {
    let (digest, count) = try measure(block)
    var lines = "WARC/1.1\r\n"
    for field in fields { lines += "\(field.name): \(field.value)\r\n" }
    lines += "WARC-Block-Digest: sha256:\(digest)\r\nContent-Length: \(count)\r\n\r\n"
    let start = size
    let member = try GzipMember { [file] in
      try file.write($0)
      self.size += $0.count
    }
    try Array(lines.utf8).withUnsafeBytes(member.take)
    try block.head.withUnsafeBytes(member.take)
    if let content = block.content { try folder.read(content, member.take) }
    try Array("\r\n\r\n".utf8).withUnsafeBytes(member.take)
    try member.end()
    return Place(offset: start, length: size - start)
  }

  private func measure(_ block: Block) throws -> (digest: String, count: Int) {
    let hash = SHA256()
    hash.update(block.head)
    var count = block.head.count
    if let content = block.content {
      try folder.read(content) { piece in
        hash.update(piece)
        count += piece.count
      }
    }
    return (hash.finish().hex, count)
  }
}

/// A gzip member that is written piece by piece; the same bytes produce the same output.
private final class GzipMember {
  private var stream = z_stream()
  private let handOn: (UnsafeRawBufferPointer) throws -> Void
  private static let room = 1 << 16

  init(_ handOn: @escaping (UnsafeRawBufferPointer) throws -> Void) throws {
    self.handOn = handOn
    // 16 more than the window: with gzip's head, which has no date.
    let size = Int32(MemoryLayout<z_stream>.size)
    guard deflateInit2_(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK else {
      throw Fault.engine("output-failed", "out of memory for compression")
    }
  }

  deinit { deflateEnd(&stream) }

  func take(_ bytes: UnsafeRawBufferPointer) throws {
    guard let start = bytes.bindMemory(to: UInt8.self).baseAddress, !bytes.isEmpty else { return }
    stream.next_in = UnsafeMutablePointer(mutating: start)
    stream.avail_in = UInt32(clamping: bytes.count)
    try pack(Z_NO_FLUSH)
  }

  func end() throws { try pack(Z_FINISH) }

  private func pack(_ flush: Int32) throws {
    try withUnsafeTemporaryAllocation(byteCount: Self.room, alignment: 8) { room in
      repeat {
        stream.next_out = room.bindMemory(to: UInt8.self).baseAddress
        stream.avail_out = UInt32(Self.room)
        guard deflate(&stream, flush) != Z_STREAM_ERROR else {
          throw Fault.engine("output-failed", "compression failed")
        }
        let count = Self.room - Int(stream.avail_out)
        if count > 0 { try handOn(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count])) }
      } while stream.avail_out == 0
    }
  }
}
