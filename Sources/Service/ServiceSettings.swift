package import Core
internal import FoundationEssentials
internal import HTTPTypes
internal import RenderModel

/// How a server is set up; fixed once it runs.
package struct ServiceSettings: Sendable {
  /// What renders may take of the machine's, and for how long results are kept.
  package struct Bounds: Sendable {
    /// Renders that may wait for their turn.
    package var waiting = 200
    /// Seconds a render may wait, unless its request says less.
    package var queueTimeout = 600.0
    /// Seconds and mebibytes a request may ask for at most.
    package var timeout = 300.0
    package var memory = 4096
    /// Pixels a screen may have: each takes some 20 bytes of a worker and 8 of its display.
    package var pixels = 24_000_000
    /// Bytes of a request's body.
    package var body = 50_000_000
    /// Workers that may die under a creative until it isn't tried any more.
    package var losses = 3
    /// Seconds that renders get to end when the server is told to stop.
    package var drain = 30.0
    /// Days results are kept, and bytes of all of them.
    package var days = 30.0
    package var bytes: Int64 = 20_000_000_000
    var connections = ConnectionBounds()

    package init() {}
  }

  package var host: String
  package var port: Int
  /// The folder for everything the server keeps, absolute.
  package var data: String
  /// Creatives rendered at a time.
  package var jobs: Int
  /// The worker program, and this one's, which guards it.
  package var worker: String
  package var executable: String
  /// The file of tokens; nil lets everybody on this machine do everything.
  package var tokens: String?
  /// The file with the secret that webhooks are signed with; nil makes one in the data folder.
  package var secret: String?
  /// The address by which others know the server; nil for the one that it listens on.
  package var publicAddress: PublicAddress?
  /// Proxies in front of the server, whose word about who calls is believed.
  package var trustedProxies: [AddressBlock] = []
  var front: Front { Front(address: publicAddress, proxies: trustedProxies) }
  /// Whether creatives and webhooks may reach private addresses.
  package var allowsPrivateNetwork = false
  /// How far creatives reach.
  var reach: NetworkPolicy { allowsPrivateNetwork ? .any : .publicInternet }
  /// The most days for which a link to one render may be given to people without a token; 0 gives none.
  package var shareDays = 0
  package var bounds = Bounds()
  /// The proxy that creatives' requests and webhooks go by, like `http://127.0.0.1:3128`; nil for none.
  package var proxy: String?

  package init(host: String, port: Int, data: String, jobs: Int, worker: String, executable: String) {
    (self.host, self.port, self.data) = (host, port, data)
    (self.jobs, self.worker, self.executable) = (jobs, worker, executable)
  }
}

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

/// The address by which others know the server, like `https://galley.example`: of a proxy in front of it, as a rule.
package struct PublicAddress: Hashable, Sendable {
  /// Scheme, host and port, without a slash at the end.
  package let text: String

  /// Whether it is reached by TLS.
  package var isSecure: Bool { text.hasPrefix("https:") }

  /// Reads an http or https address without a path; nil for anything else.
  package init?(_ text: String) {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = url.host(percentEncoded: false)?.lowercased(), !host.isEmpty, ["", "/"].contains(url.path()),
      url.query() == nil, url.fragment() == nil, url.user() == nil
    else { return nil }
    let bracketed = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    // Browsers leave a scheme's own port out of an origin.
    let standard = scheme == "https" ? 443 : 80
    self.text = "\(scheme)://\(bracketed)" + (url.port.map { $0 == standard ? "" : ":\($0)" } ?? "")
  }
}
