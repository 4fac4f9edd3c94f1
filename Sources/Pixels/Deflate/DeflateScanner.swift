/// Scanner that finds the last block of a deflate stream and the bit at which it ends (RFC 1951), without unpacking it.
///
/// libdeflate only makes complete streams. With both positions known, another block can follow instead of the end.
struct DeflateScanner: ~Copyable {
  /// Number of bytes beyond the stream that must be readable.
  static let slack = 8

  private let bytes: UnsafeRawPointer
  /// Number of bits in the stream.
  private let count: Int
  /// Index of the next bit to be read.
  private var at = 0
  private var literals = SymbolTable(bits: 11)
  private var distances = SymbolTable(bits: 9)

  /// Returns the positions in a stream of `count` bytes, in bits from its start; nil if the stream is invalid.
  static func scan(_ bytes: UnsafeRawPointer, count: Int) -> (lastBlock: Int, end: Int)? {
    var scanner = DeflateScanner(bytes, count: count)
    while scanner.at < scanner.count {
      let block = scanner.at
      let header = scanner.take(3)
      guard scanner.skipBlock(type: header >> 1), scanner.at <= scanner.count else { return nil }
      if header & 1 == 1 { return (block, scanner.at) }
    }
    return nil
  }

  private init(_ bytes: UnsafeRawPointer, count: Int) {
    self.bytes = bytes
    self.count = count * 8
  }

  /// Returns at least 56 bits from this one on.
  @inline(__always)
  private func word(_ at: Int) -> UInt64 {
    UInt64(littleEndian: (bytes + at &>> 3).loadUnaligned(as: UInt64.self)) &>> UInt64(at & 7)
  }

  private mutating func take(_ bits: Int) -> Int {
    guard at + bits <= count else {
      at = count + 1
      return 0
    }
    defer { at += bits }
    return Int(word(at) & (1 << UInt64(bits) - 1))
  }

  private mutating func skipBlock(type: Int) -> Bool {
    switch type {
    case 0:
      at = (at + 7) & ~7
      let (length, check) = (take(16), take(16))
      guard length ^ check == 0xFFFF else { return false }
      at += length * 8
      return true
    case 1:
      let lengths = (0..<288).map { UInt8($0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8) }
      literals.fill(literals: lengths[...])
      distances.fill(distances: [UInt8](repeating: 5, count: 30)[...])
      return skipSymbols()
    case 2: return readTables() && skipSymbols()
    default: return false
    }
  }

  /// Reads the code lengths at the start of a dynamic block.
  private mutating func readTables() -> Bool {
    let (literalCount, distanceCount, codeCount) = (take(5) + 257, take(5) + 1, take(4) + 4)
    var codes = [UInt8](repeating: 0, count: 19)
    for symbol in DeflateCode.order.prefix(codeCount) { codes[symbol] = UInt8(take(3)) }
    let values = DeflateCode.codes(lengths: codes[...])
    var lengths: [UInt8] = []
    let total = literalCount + distanceCount
    while lengths.count < total, at < count {
      let word = word(at)
      let symbol = codes.indices.first {
        codes[$0] > 0 && UInt16(truncatingIfNeeded: word) & (1 << UInt16(codes[$0]) - 1) == values[$0]
      }
      guard let symbol else { return false }
      at += Int(codes[symbol])
      switch symbol {
      case 16:
        guard let last = lengths.last else { return false }
        lengths += [UInt8](repeating: last, count: take(2) + 3)
      case 17: lengths += [UInt8](repeating: 0, count: take(3) + 3)
      case 18: lengths += [UInt8](repeating: 0, count: take(7) + 11)
      default: lengths.append(UInt8(symbol))
      }
    }
    guard lengths.count == total, at <= count else { return false }
    literals.fill(literals: lengths[..<literalCount])
    distances.fill(distances: lengths[literalCount...])
    return true
  }

  /// Advances to the bit after the block's last symbol.
  private mutating func skipSymbols() -> Bool {
    var at = at
    defer { self.at = at }
    while at < count {
      // A word holds two symbols at least: a code takes 15 bits at most, a length 20, a distance 28.
      var word = word(at)
      var used = 0
      while used <= 8 {
        let symbol = literals.symbol(word)
        guard symbol.bits > 0 else { return false }
        word &>>= UInt64(symbol.bits)
        used &+= symbol.bits
        if symbol.isLiteral { continue }
        guard !symbol.isEnd else {
          at &+= used
          return true
        }
        let distance = distances.symbol(word)
        guard distance.bits > 0 else { return false }
        word &>>= UInt64(distance.bits)
        used &+= distance.bits
      }
      at &+= used
    }
    return false
  }
}

/// Properties of a symbol that are needed to advance to the next.
private struct DeflateSymbol {
  private let value: UInt16

  /// - Parameter bits: length of its code and of the bits that belong to it.
  init(bits: Int, isLiteral: Bool = false, isEnd: Bool = false) {
    value = UInt16(bits) | (isLiteral ? 0x100 : 0) | (isEnd ? 0x200 : 0)
  }

  /// Number of bits; 0 if no symbol is known.
  @inline(__always)
  var bits: Int { Int(value & 0xFF) }
  @inline(__always)
  var isLiteral: Bool { value & 0x100 != 0 }
  @inline(__always)
  var isEnd: Bool { value & 0x200 != 0 }
}

/// Table from the next bits of a block to their symbol, indexed by as many bits as most codes have.
private struct SymbolTable: ~Copyable {
  private let bits: Int
  private let entries: UnsafeMutablePointer<DeflateSymbol>
  /// Symbols that have a code, in the order of the codes, and the number of codes of each length.
  private var ordered: [DeflateSymbol] = []
  private var counts = [Int](repeating: 0, count: 16)

  init(bits: Int) {
    self.bits = bits
    entries = .allocate(capacity: 1 << bits)
    entries.initialize(repeating: DeflateSymbol(bits: 0), count: 1 << bits)
  }

  deinit { entries.deallocate() }

  /// Fills the table from the lengths of the codes of all literals and lengths, at most 15 bits each.
  mutating func fill(literals lengths: ArraySlice<UInt8>) {
    fill(lengths) { symbol, bits in
      DeflateSymbol(
        bits: bits + DeflateCode.lengthExtra(symbol), isLiteral: symbol < DeflateCode.end,
        isEnd: symbol == DeflateCode.end)
    }
    joinLiterals()
  }

  /// Fills the table from the lengths of the codes of all distances.
  mutating func fill(distances lengths: ArraySlice<UInt8>) {
    fill(lengths) { symbol, bits in DeflateSymbol(bits: bits + DeflateCode.distanceExtra(symbol)) }
  }

  private mutating func fill(_ lengths: ArraySlice<UInt8>, _ make: (_ symbol: Int, _ bits: Int) -> DeflateSymbol) {
    entries.update(repeating: DeflateSymbol(bits: 0), count: 1 << bits)
    counts = [Int](repeating: 0, count: 16)
    ordered.removeAll(keepingCapacity: true)
    let codes = DeflateCode.codes(lengths: lengths)
    for length in 1...15 {
      for (symbol, own) in lengths.enumerated() where Int(own) == length {
        let entry = make(symbol, length)
        counts[length] += 1
        ordered.append(entry)
        guard length <= bits else { continue }
        for place in stride(from: Int(codes[symbol]), to: 1 << bits, by: 1 << length) { entries[place] = entry }
      }
    }
  }

  /// Combines as many literals in an entry as its bits hold, since their values aren't needed.
  private func joinLiterals() {
    // From above, so that what is looked up has one literal still: a place shifted down is below.
    for place in stride(from: (1 << bits) - 1, to: 0, by: -1) where entries[place].isLiteral {
      var used = entries[place].bits
      while used < bits, entries[place >> used].isLiteral, used + entries[place >> used].bits <= bits {
        used += entries[place >> used].bits
      }
      entries[place] = DeflateSymbol(bits: used, isLiteral: true)
    }
  }

  /// Returns the symbol at the start of a word; one without bits if no code matches.
  @inline(__always)
  func symbol(_ word: UInt64) -> DeflateSymbol {
    let entry = entries[Int(truncatingIfNeeded: word) & (1 << bits - 1)]
    return entry.bits > 0 ? entry : longSymbol(word)
  }

  /// Finds a symbol by comparing codes in the order of their lengths.
  @inline(never)
  private func longSymbol(_ word: UInt64) -> DeflateSymbol {
    var (code, first, index) = (0, 0, 0)
    for length in 1...15 {
      code |= Int(word >> UInt64(length - 1) & 1)
      let count = counts[length]
      if code >= first, code - first < count { return ordered[index + code - first] }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    return DeflateSymbol(bits: 0)
  }
}
