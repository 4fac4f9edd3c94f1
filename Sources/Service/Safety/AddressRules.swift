/// Which addresses nothing of a stranger's may reach: private, loopback, link-local, metadata and the like.
package enum AddressRules {
  /// Whether everybody on the internet means the same by this address; by its bytes, 4 or 16.
  package static func isPublic(_ bytes: [UInt8]) -> Bool {
    switch bytes.count {
    case 4: isPublic4(bytes)
    case 16: isPublic6(bytes)
    default: false
    }
  }

  private static func isPublic4(_ bytes: [UInt8]) -> Bool {
    let value = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return !blocks4.contains { base, length in value >> (32 - length) == base >> (32 - length) }
  }

  private static func isPublic6(_ bytes: [UInt8]) -> Bool {
    let first = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
    // Other writings of an address of the fourth version.
    if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == bytes[11], [0, 0xFF].contains(bytes[10]) {
      return bytes[10] == 0xFF && isPublic4(Array(bytes[12...]))
    }
    if bytes[..<12].elementsEqual([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) {
      return isPublic4(Array(bytes[12...]))
    }
    if first == 0x2002 { return isPublic4(Array(bytes[2..<6])) }
    // Only global unicast is routed, without Teredo, ORCHID and documentation.
    guard first & 0xE000 == 0x2000 else { return false }
    return !(first == 0x2001 && (bytes[2] < 2 || (bytes[2] == 0x0D && bytes[3] == 0xB8)))
  }

  /// RFC 6890 and its successors: network and length of its prefix.
  private static let blocks4: [(UInt32, UInt32)] = [
    (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
    (0xC000_0000, 24), (0xC000_0200, 24), (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15),
    (0xC633_6400, 24), (0xCB00_7100, 24), (0xE000_0000, 4), (0xF000_0000, 4),
  ]
}
