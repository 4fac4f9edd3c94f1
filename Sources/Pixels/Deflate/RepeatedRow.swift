/// Code of a row that repeats the one above it: PNG's up filter and zeros, in codes made only for these.
struct RepeatedRow {
  /// Bits of a stream, the lowest written first.
  struct Bits: Equatable {
    var value: UInt64
    var count: Int
  }

  /// Type of a block and the lengths of its codes.
  let start: [Bits]
  /// Bits of one row.
  let row: [Bits]
  /// Bits of the block's end.
  let end: Bits
  private let length: Int

  /// Creates the code for a row of `length` bytes including its filter; at least 3.
  init(length: Int) {
    precondition(length > 2, "a row has a filter and a pixel")
    self.length = length
    let whole = (length - 2) / DeflateCode.longest
    let rest = (length - 2) % DeflateCode.longest
    let part = rest >= DeflateCode.shortest ? DeflateCode.length(rest) : nil
    let lengths = Self.lengths(part: part?.symbol)
    let codes = DeflateCode.codes(lengths: lengths[...])
    func code(_ symbol: Int) -> Bits { Bits(value: UInt64(codes[symbol]), count: Int(lengths[symbol])) }

    // The only distance is 1, whose code is a single 0.
    let distance = Bits(value: 0, count: 1)
    var row = [code(Self.filter), code(Self.zero)]
    for _ in 0..<whole { row += [code(DeflateCode.longestSymbol), distance] }
    if let part {
      row += [code(part.symbol), Bits(value: UInt64(part.value), count: part.extra), distance]
    } else {
      row += [Bits](repeating: code(Self.zero), count: rest)
    }
    self.row = Self.joined(row)
    end = code(DeflateCode.end)
    start = Self.joined(Self.start(lengths + [1]))
  }

  /// Returns a checksum after this number of rows (Adler-32, RFC 1950).
  func checksum(after checksum: UInt32, rows: Int) -> UInt32 {
    var (sum, sums) = (Int(checksum & 0xFFFF), Int(checksum >> 16))
    for _ in 0..<rows {
      // The zeros after the filter leave the first sum as it is.
      sum = (sum + Self.filter) % Adler32.prime
      sums = (sums + sum * length) % Adler32.prime
    }
    return UInt32(sums << 16 | sum)
  }

  private static let filter = Int(Scanlines.Filter.up.rawValue)
  private static let zero = 0

  /// Returns the lengths of the codes, which together form a complete tree.
  private static func lengths(part: Int?) -> [UInt8] {
    var lengths = [UInt8](repeating: 0, count: DeflateCode.longestSymbol + 1)
    lengths[DeflateCode.longestSymbol] = 1
    for symbol in [filter, DeflateCode.end] { lengths[symbol] = 3 }
    lengths[zero] = part == nil ? 2 : 3
    if let part { lengths[part] = 3 }
    return lengths
  }

  /// Returns the header of a block that isn't the last, with codes of these lengths, the last of them a distance's (RFC
  /// 1951, 3.2.7).
  private static func start(_ lengths: [UInt8]) -> [Bits] {
    // Codes for the lengths 0 to 3 and for repeats of zeros, 3 to 10 and 11 to 138.
    var sizes = [UInt8](repeating: 0, count: DeflateCode.order.count)
    for (symbol, size) in [(0, 3), (1, 3), (2, 3), (3, 2), (17, 3), (18, 2)] { sizes[symbol] = UInt8(size) }
    let codes = DeflateCode.codes(lengths: sizes[...])
    let used = DeflateCode.order.prefix { $0 != 1 } + [1]
    var bits = [
      Bits(value: 0b100, count: 3), Bits(value: UInt64(lengths.count - 1 - 257), count: 5), Bits(value: 0, count: 5),
      Bits(value: UInt64(used.count - 4), count: 4),
    ]
    bits += used.map { Bits(value: UInt64(sizes[$0]), count: 3) }
    func put(_ symbol: Int) { bits.append(Bits(value: UInt64(codes[symbol]), count: Int(sizes[symbol]))) }
    var at = 0
    while at < lengths.count {
      let zeros = min(lengths[at...].prefix { $0 == 0 }.count, 138)
      switch zeros {
      case 11...:
        put(18)
        bits.append(Bits(value: UInt64(zeros - 11), count: 7))
      case 3...:
        put(17)
        bits.append(Bits(value: UInt64(zeros - 3), count: 3))
      default: put(Int(lengths[at]))
      }
      at += zeros > 2 ? zeros : 1
    }
    return bits
  }

  /// Returns the same bits in as few portions as the writer accepts.
  private static func joined(_ bits: [Bits]) -> [Bits] {
    bits.reduce(into: []) { joined, next in
      guard let last = joined.last, last.count + next.count <= BitWriter.most else { return joined.append(next) }
      joined[joined.count - 1] = Bits(
        value: last.value | next.value << UInt64(last.count), count: last.count + next.count)
    }
  }
}
