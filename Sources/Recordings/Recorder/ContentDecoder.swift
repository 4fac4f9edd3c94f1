internal import CBrotli
internal import CZlib

/// Decodes a body piece by piece: gzip, deflate and brotli, one or several after another.
package final class ContentDecoder {
  /// Error for an encoding that is broken, or differs from its name.
  package struct DecodingError: Error {}

  private let steps: [any DecodingStep]

  /// Creates a decoder for a `Content-Encoding`, as `gzip`; nil for an unknown encoding.
  package init?(_ encoding: String) {
    let names = encoding.lowercased().split(separator: ",").map { $0.drop { $0 == " " }.prefix { $0 != " " } }
    guard names.count <= 3 else { return nil }
    var steps: [any DecodingStep] = []
    // What was put on last comes off first.
    for name in names.reversed() where name != "identity" && !name.isEmpty {
      switch name {
      case "gzip", "x-gzip": steps.append(Inflating(automatic: true))
      case "deflate": steps.append(Inflating(automatic: false))
      case "br": steps.append(Unbrotli())
      default: return nil
      }
    }
    self.steps = steps
  }

  /// Passes on the decoded bytes, in parts of at most 64 KiB.
  package func take(
    _ bytes: UnsafeRawBufferPointer, _ handOn: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try pass(bytes, from: 0, handOn)
  }

  private func pass(
    _ bytes: UnsafeRawBufferPointer, from step: Int, _ handOn: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard step < steps.count else { return bytes.isEmpty ? () : try handOn(bytes) }
    try steps[step].take(bytes) { try pass($0, from: step + 1, handOn) }
  }
}

/// One encoding that is removed.
private protocol DecodingStep: AnyObject {
  func take(_ bytes: UnsafeRawBufferPointer, _ handOn: (UnsafeRawBufferPointer) throws -> Void) throws
}

private let roomSize = 65_536

private final class Inflating: DecodingStep {
  private var stream = z_stream()
  private var isReady: Bool
  private var isOver = false
  /// Indicates if the data may be a deflate stream without zlib's head, as some servers send it.
  private var mayBeRaw: Bool

  init(automatic: Bool) {
    mayBeRaw = !automatic
    // 32 more than the window: by its head it is gzip's or zlib's.
    isReady = inflateInit2_(&stream, 15 + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
  }

  deinit { inflateEnd(&stream) }

  func take(_ bytes: UnsafeRawBufferPointer, _ handOn: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard isReady else { throw ContentDecoder.DecodingError() }
    guard !isOver, let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
    if mayBeRaw {
      mayBeRaw = false
      if bytes[0] & 0x0f != 8 { inflateReset2(&stream, -15) }
    }
    stream.next_in = UnsafeMutablePointer(mutating: start)
    stream.avail_in = UInt32(clamping: bytes.count)
    try withUnsafeTemporaryAllocation(byteCount: roomSize, alignment: 8) { room in
      while !isOver {
        stream.next_out = room.bindMemory(to: UInt8.self).baseAddress
        stream.avail_out = UInt32(roomSize)
        let status = inflate(&stream, Z_NO_FLUSH)
        guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(status) else { throw ContentDecoder.DecodingError() }
        isOver = status == Z_STREAM_END
        let count = roomSize - Int(stream.avail_out)
        if count > 0 { try handOn(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count])) }
        if stream.avail_out > 0 { break }
      }
    }
  }
}

private final class Unbrotli: DecodingStep {
  private let state = BrotliDecoderCreateInstance(nil, nil, nil)

  deinit { BrotliDecoderDestroyInstance(state) }

  func take(_ bytes: UnsafeRawBufferPointer, _ handOn: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard let state else { throw ContentDecoder.DecodingError() }
    var left = bytes.count
    var next = bytes.bindMemory(to: UInt8.self).baseAddress
    try withUnsafeTemporaryAllocation(byteCount: roomSize, alignment: 8) { room in
      while true {
        var space = roomSize
        var out = room.bindMemory(to: UInt8.self).baseAddress
        let result = BrotliDecoderDecompressStream(state, &left, &next, &space, &out, nil)
        guard result != BROTLI_DECODER_RESULT_ERROR else { throw ContentDecoder.DecodingError() }
        let count = roomSize - space
        if count > 0 { try handOn(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count])) }
        guard result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT else { return }
      }
    }
  }
}
