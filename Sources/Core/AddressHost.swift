extension String {
  /// The host of an address, without port and user; empty when there is none.
  package var addressHost: String {
    guard let start = firstRange(of: "://")?.upperBound else { return "" }
    let authority = self[start...].prefix { !"/?#".contains($0) }
    let host = authority.split(separator: "@").last ?? ""
    if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }).lowercased() }
    return String(host.prefix { $0 != ":" }).lowercased()
  }
}
