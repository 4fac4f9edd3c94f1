import CDeflate
import Testing

@testable import Pixels

@Suite struct DeflateScannerTests {
  /// Returns bytes of every kind that deflate packs differently: noise, few values, runs, and repeated data.
  private static func samples() -> [[UInt8]] {
    var numbers = SeededNumbers(seed: 11)
    var samples: [[UInt8]] = [[], [7], [UInt8](repeating: 0, count: 70_000)]
    for size in [3, 100, 5_000, 66_000, 200_000] {
      samples.append((0..<size).map { _ in UInt8.random(in: 0...255, using: &numbers) })
      samples.append((0..<size).map { _ in UInt8.random(in: 0...3, using: &numbers) })
      // Some values so rare that their codes are the longest there are.
      samples.append((0..<size).map { _ in UInt8(numbers.next().trailingZeroBitCount * 4) })
      var mixed: [UInt8] = []
      while mixed.count < size {
        let count = Int.random(in: 1...900, using: &numbers)
        let part = mixed.prefix(Int.random(in: 0...mixed.count, using: &numbers)).suffix(count)
        mixed += Bool.random(using: &numbers) ? Array(part) : (0..<count).map { _ in UInt8(numbers.next() & 0x3F) }
      }
      samples.append(mixed)
    }
    return samples
  }

  @Test(arguments: [Int32(0), 1, 2, 3, 6, 9, 12])
  func findsWhereAnotherBlockCanFollow(level: Int32) throws {
    let compressor = try #require(libdeflate_alloc_compressor(level))
    defer { libdeflate_free_compressor(compressor) }
    for sample in Self.samples() {
      let room = libdeflate_deflate_compress_bound(compressor, sample.count)
      var stream = [UInt8](repeating: 0, count: room + DeflateScanner.slack)
      let count = libdeflate_deflate_compress(compressor, sample, sample.count, &stream, room)
      let (lastBlock, end) = try #require(DeflateScanner.scan(&stream, count: count))
      #expect((end + 7) / 8 == count)
      // The stream goes on with a last block without symbols.
      stream[lastBlock / 8] &= ~(1 << (lastBlock % 8))
      let bits: UInt32 = 0b011 << UInt32(end % 8)
      stream[end / 8] = stream[end / 8] & (1 << (end % 8) - 1) | UInt8(truncatingIfNeeded: bits)
      stream[end / 8 + 1] = UInt8(truncatingIfNeeded: bits >> 8)
      stream[end / 8 + 2] = 0
      #expect(try inflate(Array(stream[..<((end + 17) / 8)]), count: sample.count) == sample)
    }
  }

  @Test func whatIsNoStreamHasNoEnd() {
    var numbers = SeededNumbers(seed: 12)
    for _ in 0..<2_000 {
      let count = Int.random(in: 0...300, using: &numbers)
      let bytes = (0..<(count + DeflateScanner.slack)).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      guard let (lastBlock, end) = DeflateScanner.scan(bytes, count: count) else { continue }
      #expect(lastBlock < end && end <= count * 8)
    }
    // A stored block that says it is longer than the stream.
    #expect(DeflateScanner.scan([1, 9, 0, 0xF6, 0xFF, 1, 2] + [UInt8](repeating: 0, count: 8), count: 7) == nil)
  }
}

@Suite struct RepeatedRowTests {
  @Test func everyLengthBecomesFiltersAndZeros() throws {
    for length in Array(3...800) + [3_538, 4_717, 30_001, 65_537] {
      let row = RepeatedRow(length: length)
      var memory = [UInt8](repeating: 0, count: length + 400)
      let count = memory.withUnsafeMutableBytes { space in
        guard let base = space.baseAddress else { return 0 }
        var writer = BitWriter(base)
        for bits in row.start { writer.put(bits.value, bits.count) }
        for _ in 0..<3 { for bits in row.row { writer.put(bits.value, bits.count) } }
        writer.put(row.end.value, row.end.count)
        writer.put(0b011, 10)
        writer.fillByte()
        return writer.count
      }
      let bytes = [[UInt8]](repeating: [2] + [UInt8](repeating: 0, count: length - 1), count: 3).flatMap { $0 }
      #expect(try inflate(Array(memory[..<count]), count: bytes.count) == bytes, "\(length)")
      for start in [UInt32(1), 0xFFF0_FFEF] {
        #expect(row.checksum(after: start, rows: 3) == libdeflate_adler32(start, bytes, bytes.count), "\(length)")
      }
    }
  }

  @Test func aScreenOfOneColourTakesLittle() throws {
    let file = try PNGEncoder.encode(Bitmap(width: 1179, height: 2556, fill: .white))
    #expect(file.count < 14_000)
  }
}

@Suite struct Adler32Tests {
  @Test func joinsLikeItsParts() {
    var numbers = SeededNumbers(seed: 13)
    for count in [0, 1, 2, 1_000, 65_520, 65_521, 200_000] {
      let bytes = (0..<count).map { _ in UInt8.random(in: 128...255, using: &numbers) }
      for place in [0, count / 3, count] {
        let (first, second) = (Array(bytes[..<place]), Array(bytes[place...]))
        let sums = (libdeflate_adler32(1, first, first.count), libdeflate_adler32(1, second, second.count))
        #expect(Adler32.joined(sums.0, sums.1, count: second.count) == libdeflate_adler32(1, bytes, count))
      }
    }
  }
}

/// Inflates a deflate stream; nil if it can't be read, has more or fewer bytes than `count`, or isn't used up.
private func inflate(_ stream: [UInt8], count: Int) throws -> [UInt8]? {
  let decompressor = try #require(libdeflate_alloc_decompressor())
  defer { libdeflate_free_decompressor(decompressor) }
  var (used, made) = (0, 0)
  var bytes = [UInt8](repeating: 0xAA, count: count + 1)
  let result = libdeflate_deflate_decompress_ex(
    decompressor, stream, stream.count, &bytes, bytes.count, &used, &made)
  guard result == LIBDEFLATE_SUCCESS, used == stream.count, made == count else { return nil }
  return Array(bytes[..<count])
}
