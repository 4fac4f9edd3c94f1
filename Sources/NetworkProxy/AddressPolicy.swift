package import Core

/// Which addresses may be spoken to: those of the public internet or none, and what is allowed besides.
package struct AddressPolicy: Sendable {
  /// Why an address isn't one of the public internet's; the raw values are a stable vocabulary.
  package enum Refusal: String, Sendable {
    /// This machine.
    case loopback
    /// A network of one's own: RFC 1918, RFC 4193, carriers' shared space.
    case `private`
    /// The next cable.
    case linkLocal = "link-local"
    /// Where clouds tell machines their secrets.
    case metadata
    /// Many at once.
    case multicast
    /// Any, where none may be spoken to.
    case offline
    /// Nobody's, or not to be routed: documentation, benchmarks, protocols' own, the future's.
    case reserved
  }

  /// Whether nothing is spoken to but `allowed`; then no name is asked for either.
  package private(set) var isClosed = false
  /// Blocks that may be spoken to whatever they are.
  package var allowed: [AddressBlock]

  /// The public internet and these blocks.
  package init(allowed: [AddressBlock] = []) { self.allowed = allowed }

  /// These blocks and nothing else.
  package static func only(_ allowed: [AddressBlock]) -> AddressPolicy {
    var policy = AddressPolicy(allowed: allowed)
    policy.isClosed = true
    return policy
  }

  /// Why the address may not be spoken to; nil when it may.
  package func refusal(of address: IPAddress) -> Refusal? {
    if allowed.contains(where: { $0.contains(address) }) { return nil }
    if isClosed { return address.carried.map { refusal(of: $0) } ?? .offline }
    // What carries an address of version 4 is as good as that.
    if let carried = address.carried { return refusal(of: carried) }
    for (block, refusal) in Self.special where block.contains(address) { return refusal }
    return address.isVersion4 || Self.global.contains(address) ? nil : .reserved
  }

  /// From IANA's registries of special-purpose addresses, and clouds' documentation; the first that matches counts.
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

  /// All of version 6 that is given out to the public.
  private static let global = AddressBlock("2000::/3").map { [$0] } ?? []
}

extension [AddressBlock] {
  /// Whether one of them has the address.
  fileprivate func contains(_ address: IPAddress) -> Bool { contains { $0.contains(address) } }
}

extension IPAddress {
  /// The address of version 4 that one of version 6 stands for: mapped, compatible, translated or by 6to4.
  fileprivate var carried: IPAddress? {
    guard !isVersion4 else { return nil }
    let isTranslated = bytes.starts(with: [0, 0x64, 0xff, 0x9b]) && bytes[4..<12].allSatisfy { $0 == 0 }
    let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10..<12].elementsEqual([0xff, 0xff])
    let isCompatible = bytes[..<12].allSatisfy { $0 == 0 } && bytes[12...].dropLast().contains { $0 != 0 }
    if isTranslated || isMapped || isCompatible { return IPAddress(bytes: bytes[12...]) }
    return bytes.starts(with: [0x20, 0x02]) ? IPAddress(bytes: bytes[2..<6]) : nil
  }
}
