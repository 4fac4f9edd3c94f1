package import Core

/// Policy that decides to which addresses connections are allowed: the public internet or none, and exceptions.
package struct AddressPolicy: Sendable {
  /// Reason for which an address is refused; the raw values are a stable vocabulary.
  package enum Refusal: String, Sendable {
    /// This machine.
    case loopback
    /// Private networks: RFC 1918, RFC 4193, carriers' shared space.
    case `private`
    /// Link-local networks.
    case linkLocal = "link-local"
    /// Metadata services of clouds, which give machines their credentials.
    case metadata
    /// Multicast addresses.
    case multicast
    /// Any address, under a policy that allows no public ones.
    case offline
    /// Reserved addresses: documentation, benchmarks, protocols' own, future use.
    case reserved
  }

  /// Indicates if only `allowed` blocks are permitted; names aren't resolved then.
  package private(set) var isClosed = false
  /// Blocks that are allowed regardless of their kind.
  package var allowed: [AddressBlock]

  /// Creates a policy that allows the public internet and these blocks.
  package init(allowed: [AddressBlock] = []) { self.allowed = allowed }

  /// Returns a policy that allows only these blocks.
  package static func only(_ allowed: [AddressBlock]) -> AddressPolicy {
    var policy = AddressPolicy(allowed: allowed)
    policy.isClosed = true
    return policy
  }

  /// Returns the reason to refuse the address; nil if it is allowed.
  package func refusal(of address: IPAddress) -> Refusal? {
    if allowed.contains(where: { $0.contains(address) }) { return nil }
    if isClosed { return address.carried.map { refusal(of: $0) } ?? .offline }
    // What carries an address of version 4 is as good as that.
    if let carried = address.carried { return refusal(of: carried) }
    for (block, refusal) in Self.special where block.contains(address) { return refusal }
    return address.isVersion4 || Self.global.contains(address) ? nil : .reserved
  }

  /// Special blocks from IANA's registries of special-purpose addresses, and clouds' documentation; the first match
  /// counts.
  private static let special: [(AddressBlock, Refusal)] = [
    ("169.254.169.254", .metadata), ("168.63.129.16", .metadata), ("100.100.100.200", .metadata),
    ("169.254.170.2", .metadata), ("fd00:ec2::254", .metadata), ("fd20:ce::254", .metadata),
    ("127.0.0.0/8", .loopback), ("0.0.0.0/8", .loopback), ("::1", .loopback), ("::", .loopback),
    ("10.0.0.0/8", .private), ("172.16.0.0/12", .private), ("192.168.0.0/16", .private),
    ("100.64.0.0/10", .private), ("fc00::/7", .private), ("fec0::/10", .private), ("64:ff9b:1::/48", .private),
    ("169.254.0.0/16", .linkLocal), ("fe80::/10", .linkLocal),
    ("224.0.0.0/4", .multicast), ("ff00::/8", .multicast),
    ("192.0.0.0/24", .reserved), ("192.0.2.0/24", .reserved), ("192.88.99.0/24", .reserved),
    ("198.18.0.0/15", .reserved), ("198.51.100.0/24", .reserved), ("203.0.113.0/24", .reserved),
    ("240.0.0.0/4", .reserved), ("2001::/23", .reserved), ("2001:db8::/32", .reserved), ("3fff::/20", .reserved),
  ].compactMap { text, refusal in AddressBlock(text).map { ($0, refusal) } }

  /// Block of all IPv6 addresses that are assigned to the public.
  private static let global = AddressBlock("2000::/3").map { [$0] } ?? []
}

extension [AddressBlock] {
  /// Indicates if one of the blocks contains the address.
  fileprivate func contains(_ address: IPAddress) -> Bool { contains { $0.contains(address) } }
}

extension IPAddress {
  /// IPv4 address that is embedded in an IPv6 one: mapped, compatible, translated or 6to4; nil if there is none.
  fileprivate var carried: IPAddress? {
    guard !isVersion4 else { return nil }
    let isTranslated = bytes.starts(with: [0, 0x64, 0xff, 0x9b]) && bytes[4..<12].allSatisfy { $0 == 0 }
    let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10..<12].elementsEqual([0xff, 0xff])
    let isCompatible = bytes[..<12].allSatisfy { $0 == 0 } && bytes[12...].dropLast().contains { $0 != 0 }
    if isTranslated || isMapped || isCompatible { return IPAddress(bytes: bytes[12...]) }
    return bytes.starts(with: [0x20, 0x02]) ? IPAddress(bytes: bytes[2..<6]) : nil
  }
}
