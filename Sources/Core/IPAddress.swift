internal import Glibc

/// An address of the Internet Protocol, version 4 or 6.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  /// 4 or 16 bytes in network order.
  package let bytes: [UInt8]

  /// An address of these bytes; nil unless they are 4 or 16.
  package init?(bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
    guard [4, 16].contains(self.bytes.count) else { return nil }
  }

  /// Reads the standard notations only, `192.0.2.1` and `2001:db8::1`; unusual ones are left to a resolver.
  package init?(_ text: some StringProtocol) {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, String(text), &bytes) == 1 {
      self.bytes = Array(bytes[..<4])
    } else if inet_pton(AF_INET6, String(text), &bytes) == 1 {
      self.bytes = bytes
    } else {
      return nil
    }
  }

  /// True for version 4, false for version 6.
  package var isVersion4: Bool { bytes.count == 4 }

  package var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(isVersion4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// All addresses that begin with the same bits, in the notation `10.0.0.0/8`.
package struct AddressBlock: Hashable, Sendable, CustomStringConvertible {
  private let address: IPAddress
  private let length: Int

  /// Reads an address with the number of leading bits that count; without a number all bits count.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let address = IPAddress(first) else { return nil }
    let bits = address.bytes.count * 8
    guard parts.count == 1 || Int(parts[1]).map((0...bits).contains) == true else { return nil }
    self.address = address
    length = parts.count == 1 ? bits : Int(parts[1]) ?? bits
  }

  package var description: String { "\(address)/\(length)" }

  /// Indicates if the address has the same version and the same leading bits.
  package func contains(_ other: IPAddress) -> Bool {
    guard other.bytes.count == address.bytes.count else { return false }
    let (whole, rest) = length.quotientAndRemainder(dividingBy: 8)
    guard other.bytes[..<whole] == address.bytes[..<whole] else { return false }
    guard rest > 0 else { return true }
    return (other.bytes[whole] ^ address.bytes[whole]) >> (8 - rest) == 0
  }
}
