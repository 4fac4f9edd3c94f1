internal import CDeflate

/// Writer of filtered rows as deflate blocks (RFC 1951): libdeflate packs differing rows, long repeats are coded here.
///
/// libdeflate processes every byte of a repeat, which takes most of its time on a flat screen.
struct DeflateStream: ~Copyable {
  private var writer: BitWriter
  private let room: Int
  private var compressors = CompressorPair()
  /// Checksum of all bytes before compression (Adler-32).
  private(set) var checksum: UInt32 = 1

  /// Starts a stream in memory with room for the bytes that `bound` returns.
  init(_ output: UnsafeMutableRawBufferPointer) {
    guard let base = output.baseAddress else { preconditionFailure("a stream needs memory") }
    writer = BitWriter(base)
    room = output.count
  }

  /// Number of bytes written.
  var count: Int { writer.count }

  /// Returns the maximum number of bytes for rows of this length and number, including the end of the stream.
  static func bound(length: Int, rows: Int) -> Int {
    let size = length * rows
    // Each long repeat may have other rows before it and after it.
    let pieces = 2 * (size / Scanlines.longRepeat) + 1
    return libdeflate_deflate_compress_bound(nil, size) + pieces * pieceOverhead + endOverhead
  }

  /// Bytes of a piece beyond libdeflate's bound: an empty block, its rounding, and the codes of a repeat.
  private static let pieceOverhead = 128
  /// Bytes of the last block, and of memory that is written and read beyond the end.
  private static let endOverhead = 8 + max(BitWriter.slack, DeflateScanner.slack)

  /// Writes the last rows and ends the stream.
  mutating func finish(_ scanlines: borrowing Scanlines) throws(PNGError) {
    try append(scanlines, isLast: true)
    // libdeflate has ended the stream with the last rows it packed.
    guard case .repeats? = scanlines.pieces.last else { return }
    writer.put(0b011, 10)
    writer.fillByte()
  }

  /// Writes rows that others follow, up to a whole byte.
  mutating func append(_ scanlines: borrowing Scanlines) throws(PNGError) {
    try append(scanlines, isLast: false)
    align()
  }

  private mutating func append(_ scanlines: borrowing Scanlines, isLast: Bool) throws(PNGError) {
    for (index, piece) in scanlines.pieces.enumerated() {
      switch piece {
      case .rows(let range, let busyShare):
        guard let compressor = compressors.compressor(busyShare: busyShare) else { throw .outOfMemory }
        let isLast = isLast && index == scanlines.pieces.count - 1
        append(scanlines.bytes + range.lowerBound, count: range.count, compressor, isLast: isLast)
      case .repeats(let rows):
        append(RepeatedRow(length: scanlines.length), rows: rows)
      }
    }
  }

  /// Packs bytes with libdeflate and removes the end of its stream, unless they are the last.
  private mutating func append(_ rows: UnsafeRawPointer, count size: Int, _ compressor: OpaquePointer, isLast: Bool) {
    align()
    let start = writer.place
    let used = libdeflate_deflate_compress(compressor, rows, size, start, room - count - Self.endOverhead)
    precondition(used > 0, "there is room for all rows")
    checksum = libdeflate_adler32(checksum, rows, size)
    guard !isLast else { return writer.skip(bits: used * 8) }
    guard let (lastBlock, end) = DeflateScanner.scan(start, count: used) else {
      preconditionFailure("libdeflate makes streams that can be read")
    }
    // A block's first bit says whether it is the last.
    let header = start + lastBlock / 8
    header.storeBytes(of: header.load(as: UInt8.self) & ~(1 << UInt8(lastBlock % 8)), as: UInt8.self)
    writer.skip(bits: end)
  }

  /// Writes a block of rows that repeat the one above them.
  private mutating func append(_ row: RepeatedRow, rows: Int) {
    for bits in row.start { writer.put(bits.value, bits.count) }
    for _ in 0..<rows {
      for bits in row.row { writer.put(bits.value, bits.count) }
    }
    writer.put(row.end.value, row.end.count)
    checksum = row.checksum(after: checksum, rows: rows)
  }

  /// Advances to a whole byte by an empty stored block.
  private mutating func align() {
    guard !writer.isAligned else { return }
    writer.put(0, 3)
    writer.fillByte()
    writer.put(0xFFFF_0000, 32)
  }
}

/// Compressors of libdeflate for both kinds of rows, each created when it is first needed.
private struct CompressorPair: ~Copyable {
  private var flat: OpaquePointer?
  private var busy: OpaquePointer?

  deinit {
    if let flat { libdeflate_free_compressor(flat) }
    if let busy { libdeflate_free_compressor(busy) }
  }

  /// Returns level 2 for flat rows, whose long runs slow level 1 down, and level 1 for noisy ones, which slow level 2
  /// down.
  ///
  /// Nil if there isn't enough memory.
  mutating func compressor(busyShare: Double) -> OpaquePointer? {
    if busyShare > 0.14 {
      busy = busy ?? libdeflate_alloc_compressor(1)
      return busy
    }
    flat = flat ?? libdeflate_alloc_compressor(2)
    return flat
  }
}
