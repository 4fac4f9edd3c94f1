/// Finds the last block of a deflate stream and the bit at which it ends (RFC 1951), without unpacking it.
///
/// libdeflate only makes whole streams. With both places known, another block can follow in the place of the end.
struct DeflateScanner: ~Copyable {
  /// Bytes that must be readable beyond the stream.
  static let slack = 8

  private let bytes: UnsafeRawPointer
  /// Bits in the stream.
  private let count: Int
  /// The next bit to be read.
  private var at = 0
  private var literals = SymbolTable(bits: 11)
  private var distances = SymbolTable(bits: 9)

  /// The places of a stream of `count` bytes, counted in bits from its start; nil when it isn't one.
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

  /// At least 56 bits from the next one on.
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

  /// Goes to the bit after the block's last symbol.
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

/// What has to be known of a symbol to go on to the next.
private struct DeflateSymbol {
  private let value: UInt16

  /// - Parameter bits: of its code and of what belongs to it.
  init(bits: Int, isLiteral: Bool = false, isEnd: Bool = false) {
    value = UInt16(bits) | (isLiteral ? 0x100 : 0) | (isEnd ? 0x200 : 0)
  }

  /// 0 where no symbol is known.
  @inline(__always)
  var bits: Int { Int(value & 0xFF) }
  @inline(__always)
  var isLiteral: Bool { value & 0x100 != 0 }
  @inline(__always)
  var isEnd: Bool { value & 0x200 != 0 }
}

/// Finds the symbol that the next bits of a block stand for, by as many of them as most codes have.
private struct SymbolTable: ~Copyable {
  private let bits: Int
  private let entries: UnsafeMutablePointer<DeflateSymbol>
  /// Every symbol with a code, in the order of the codes; and how many codes there are of each length.
  private var ordered: [DeflateSymbol] = []
  private var counts = [Int](repeating: 0, count: 16)

  init(bits: Int) {
    self.bits = bits
    entries = .allocate(capacity: 1 << bits)
    entries.initialize(repeating: DeflateSymbol(bits: 0), count: 1 << bits)
  }

  deinit { entries.deallocate() }

  /// Takes the lengths of all literals' and lengths' codes, of at most 15 bits.
  mutating func fill(literals lengths: ArraySlice<UInt8>) {
    fill(lengths) { symbol, bits in
      DeflateSymbol(
        bits: bits + DeflateCode.lengthExtra(symbol), isLiteral: symbol < DeflateCode.end,
        isEnd: symbol == DeflateCode.end)
    }
    joinLiterals()
  }

  /// Takes the lengths of all distances' codes.
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

  /// Lets an entry stand for as many literals as its bits hold, since nobody asks which they are.
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

  /// The symbol at the start of a word; one without bits when no code is so.
  @inline(__always)
  func symbol(_ word: UInt64) -> DeflateSymbol {
    let entry = entries[Int(truncatingIfNeeded: word) & (1 << bits - 1)]
    return entry.bits > 0 ? entry : longSymbol(word)
  }

  /// Goes through the codes by their lengths.
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
