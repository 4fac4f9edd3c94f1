/// All addresses that begin with the same bits, as `10.0.0.0/8` says.
package struct AddressBlock: Hashable, Sendable, CustomStringConvertible {
  private let address: IPAddress
  private let length: Int

  /// Reads an address with the number of leading bits that count, or all of them where none is said.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let address = IPAddress(first) else { return nil }
    let bits = address.bytes.count * 8
    guard parts.count == 1 || Int(parts[1]).map((0...bits).contains) == true else { return nil }
    self.address = address
    length = parts.count == 1 ? bits : Int(parts[1]) ?? bits
  }

  package var description: String { "\(address)/\(length)" }

  /// Whether the address is of the same version and begins alike.
  package func contains(_ other: IPAddress) -> Bool {
    guard other.bytes.count == address.bytes.count else { return false }
    let (whole, rest) = length.quotientAndRemainder(dividingBy: 8)
    guard other.bytes[..<whole] == address.bytes[..<whole] else { return false }
    guard rest > 0 else { return true }
    return (other.bytes[whole] ^ address.bytes[whole]) >> (8 - rest) == 0
  }
}
