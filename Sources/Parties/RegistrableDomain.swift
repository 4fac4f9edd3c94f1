internal import CPsl
internal import Core

/// The part of a host's name that somebody registered, by the list of public suffixes that the system's library has.
package enum RegistrableDomain {
  /// `cdn.shop.co.uk` gives `shop.co.uk`; an address, and a name that nobody registers, are themselves.
  package static func of(_ host: String) -> String {
    let name = host.lowercased()
    guard !isAddress(name), name.utf8.count <= 253, let suffixes = psl_builtin() else { return name }
    // What comes back points into what is given.
    return name.withCString { text in psl_registrable_domain(suffixes, text).map { String(cString: $0) } ?? name }
  }

  private static func isAddress(_ name: String) -> Bool {
    name.contains(":") || name.split(separator: ".").allSatisfy { Int($0) != nil }
  }
}
