/// Writer of a stream of bits into memory, the lowest bit of each byte first.
struct BitWriter: ~Copyable {
  /// Maximum number of bits written at once.
  static let most = 56
  /// Number of bytes beyond the written ones that may be overwritten.
  static let slack = 8

  private let output: UnsafeMutableRawPointer
  /// Number of whole bytes written.
  private(set) var count = 0
  /// Bits that don't fill a byte yet.
  private var bits: UInt64 = 0
  private var bitCount = 0

  init(_ output: UnsafeMutableRawPointer) {
    self.output = output
  }

  /// Address of the next whole byte.
  var place: UnsafeMutableRawPointer { output + count }

  /// Indicates if all bytes are complete.
  var isAligned: Bool { bitCount == 0 }

  /// Writes `count` bits of a value whose higher bits are 0.
  @inline(__always)
  mutating func put(_ value: UInt64, _ count: Int) {
    bits |= value &<< UInt64(bitCount)
    bitCount &+= count
    place.storeBytes(of: bits.littleEndian, as: UInt64.self)
    let whole = bitCount &>> 3
    self.count &+= whole
    bits &>>= UInt64(whole &* 8)
    bitCount &= 7
  }

  /// Fills up the last byte with zeros.
  mutating func fillByte() {
    if bitCount > 0 { put(0, 8 - bitCount) }
  }

  /// Continues after bits that other code has written at `place`, provided that no byte was begun.
  mutating func skip(bits written: Int) {
    precondition(isAligned, "others write whole bytes")
    count += written / 8
    bitCount = written % 8
    bits = bitCount > 0 ? UInt64(place.load(as: UInt8.self)) & (1 << UInt64(bitCount) - 1) : 0
  }
}
