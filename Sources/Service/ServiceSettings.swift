package import Core
internal import HTTPTypes
internal import RenderModel

/// Settings of a server, constant while it runs.
package struct ServiceSettings: Sendable {
  /// Limits for renders and for the retention of results.
  package struct Bounds: Sendable {
    /// Maximum number of waiting renders.
    package var waiting = 200
    /// Seconds that a render may wait, unless its request has a lower limit.
    package var queueTimeout = 600.0
    /// Maximum seconds and mebibytes that a request may ask for.
    package var timeout = 300.0
    package var memory = 4096
    /// Maximum number of pixels of a screen; each takes about 20 bytes in a worker and 8 in its display.
    package var pixels = 24_000_000
    /// Maximum number of bytes of a request's body.
    package var body = 50_000_000
    /// Number of workers lost under a creative after which it is quarantined.
    package var losses = 3
    /// Seconds that running renders have to end when the server shuts down.
    package var drain = 30.0
    /// Days for which results are kept, and maximum number of bytes of all of them.
    package var days = 30.0
    package var bytes: Int64 = 20_000_000_000
    var connections = ConnectionBounds()

    package init() {}
  }

  package var host: String
  package var port: Int
  /// The absolute path of the folder for all files of the server.
  package var data: String
  /// Maximum number of creatives rendered concurrently.
  package var jobs: Int
  /// Paths of the worker program and of this program, which runs as its watchdog.
  package var worker: String
  package var executable: String
  /// The file of tokens; if nil, every client on this machine has all scopes.
  package var tokens: String?
  /// The file with the secret for signing webhooks; if nil, one is created in the data folder.
  package var secret: String?
  /// The file with the key that all servers of a queue share; if nil, one is created in the data folder.
  package var clusterKey: String?
  /// The public address of the server; nil for the one that it listens on.
  package var publicAddress: PublicAddress?
  /// Proxies in front of the server whose headers about the client are trusted.
  package var trustedProxies: [AddressBlock] = []
  var front: Front { Front(address: publicAddress, proxies: trustedProxies) }
  /// Allows creatives and webhooks to reach private addresses.
  package var allowsPrivateNetwork = false
  /// The widest network policy for creatives.
  var reach: NetworkPolicy { allowsPrivateNetwork ? .any : .publicInternet }
  /// Maximum number of days for which a link to one render is valid for users without a token; 0 allows no links.
  package var shareDays = 0
  package var bounds = Bounds()
  /// The proxy for webhooks and creatives' requests, like `http://127.0.0.1:3128`; nil for none.
  package var proxy: String?

  package init(host: String, port: Int, data: String, jobs: Int, worker: String, executable: String) {
    (self.host, self.port, self.data) = (host, port, data)
    (self.jobs, self.worker, self.executable) = (jobs, worker, executable)
  }
}

/// The public address and the proxies in front of the server, by which the trust in request headers is decided.
struct Front: Sendable {
  /// The public address of the server; nil for the one that it listens on.
  var address: PublicAddress?
  /// Proxies of the operator, whose headers about the client are trusted.
  var proxies: [AddressBlock] = []

  /// Indicates if an address belongs to a trusted proxy.
  func trusts(_ peer: IPAddress?) -> Bool { peer.map { peer in proxies.contains { $0.contains(peer) } } ?? false }

  /// Indicates if the browser sent the request over TLS.
  func isSecure(_ headers: HTTPFields, from peer: IPAddress?) -> Bool {
    if address?.isSecure == true { return true }
    guard trusts(peer), let said = HTTPField.Name("X-Forwarded-Proto").flatMap({ headers[$0] }) else { return false }
    // The first proxy of several is the one that the browser spoke to.
    return said.split(separator: ",").first?.trimmingSpaces.lowercased() == "https"
  }

  /// Indicates if a request that changes something comes from a page of this server.
  ///
  /// Browsers send `Sec-Fetch-Site`, which pages can't set, but only to secure addresses. For other addresses `Origin`
  /// decides; `null`, from a sandboxed frame, is rejected since it may be any site. A request with neither header isn't
  /// from a browser.
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
