/// Writes a stream of bits into memory, each byte's lowest first.
struct BitWriter: ~Copyable {
  /// The most bits written at once.
  static let most = 56
  /// Bytes beyond what is written that are written over.
  static let slack = 8

  private let output: UnsafeMutableRawPointer
  /// Whole bytes written.
  private(set) var count = 0
  /// The bits that don't fill a byte yet.
  private var bits: UInt64 = 0
  private var bitCount = 0

  init(_ output: UnsafeMutableRawPointer) {
    self.output = output
  }

  /// Where the next whole byte goes.
  var place: UnsafeMutableRawPointer { output + count }

  /// Whether all bytes are whole.
  var isAligned: Bool { bitCount == 0 }

  /// Writes as many bits of a value that has no others.
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

  /// Fills the last byte up with zeros.
  mutating func fillByte() {
    if bitCount > 0 { put(0, 8 - bitCount) }
  }

  /// Goes on behind bits that somebody else has written at `place`, where no byte was begun.
  mutating func skip(bits written: Int) {
    precondition(isAligned, "others write whole bytes")
    count += written / 8
    bitCount = written % 8
    bits = bitCount > 0 ? UInt64(place.load(as: UInt8.self)) & (1 << UInt64(bitCount) - 1) : 0
  }
}
