internal import Egress
internal import HTTPTypes

/// What stands between a browser and this server, and what of a request's head is therefore to be believed.
struct Front: Sendable {
  /// The address by which others know the server; nil for the one that it listens on.
  var address: PublicAddress?
  /// Proxies of the operator's own, which say the truth about who sent what.
  var proxies: [AddressBlock] = []

  /// Whether an address is a proxy's.
  func trusts(_ peer: IPAddress?) -> Bool { peer.map { peer in proxies.contains { $0.contains(peer) } } ?? false }

  /// Whether a browser sent this by TLS.
  func isSecure(_ headers: HTTPFields, from peer: IPAddress?) -> Bool {
    if address?.isSecure == true { return true }
    guard trusts(peer), let said = HTTPField.Name("X-Forwarded-Proto").flatMap({ headers[$0] }) else { return false }
    // The first proxy of several is the one that the browser spoke to.
    return said.split(separator: ",").first?.trimmingSpaces.lowercased() == "https"
  }

  /// Whether a page of this server itself has the browser send what would change something.
  ///
  /// Browsers leave no doubt by `Sec-Fetch-Site`, which no page can set, but send it to secure addresses only. Elsewhere
  /// a page of `Origin: null`, a sandboxed frame's, may be anybody's. Who sends neither is no browser.
  func isOwn(_ headers: HTTPFields, host: String) -> Bool {
    let site = HTTPField.Name("Sec-Fetch-Site").flatMap { headers[$0] }
    let origin = HTTPField.Name("Origin").flatMap { headers[$0] }
    if let origin, origin != "null", ![address?.text, "http://\(host)", "https://\(host)"].contains(origin) {
      return false
    }
    guard let site else { return origin != "null" }
    return ["same-origin", "none"].contains(site)
  }
}
