internal import CPsl
internal import Core

/// Registered part of a host's name, found with the list of public suffixes in the system's library.
package enum RegistrableDomain {
  /// Returns `shop.co.uk` for `cdn.shop.co.uk`; addresses and names that can't be registered are returned as they are.
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
