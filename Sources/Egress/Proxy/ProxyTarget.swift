internal import NIOHTTP1

/// Whom a request to a proxy is for, and what that host is to be asked.
struct ProxyTarget: Equatable {
  /// What becomes of the connection.
  enum Kind: Equatable {
    /// Bytes go both ways, unread.
    case tunnel
    /// One request, one response.
    case exchange
    /// One request, and bytes both ways once it is answered: a web socket in the clear.
    case upgrade
  }

  var kind: Kind
  var host: String
  var port: Int
  /// The path and query that the host gets; empty for a tunnel.
  var path: String

  /// Reads a request's target; nil when it is none that a proxy serves.
  init?(_ head: HTTPRequestHead) {
    if head.method == .CONNECT {
      guard let (host, port) = Self.authority(head.uri[...], defaultPort: nil) else { return nil }
      (kind, self.host, self.port, path) = (.tunnel, host, port, "")
      return
    }
    guard head.uri.lowercased().hasPrefix("http://") else { return nil }
    let rest = head.uri.dropFirst("http://".count)
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    guard let (host, port) = Self.authority(rest[..<end], defaultPort: 80) else { return nil }
    let tail = rest[end...].prefix { $0 != "#" }
    (self.host, self.port, path) = (host, port, tail.hasPrefix("/") ? String(tail) : "/\(tail)")
    kind = head.headers.contains(name: "Upgrade") ? .upgrade : .exchange
  }

  /// `host`, `host:port` or `[address]:port`; names and passwords before an `@` are nobody's business here.
  private static func authority(_ text: Substring, defaultPort: Int?) -> (String, Int)? {
    let text = text.lastIndex(of: "@").map { text[text.index(after: $0)...] } ?? text
    let isBracketed = text.first == "["
    guard let hostEnd = isBracketed ? text.firstIndex(of: "]") : text.lastIndex(of: ":") ?? text.endIndex else {
      return nil
    }
    let host = isBracketed ? text[text.index(after: text.startIndex)..<hostEnd] : text[..<hostEnd]
    let rest = isBracketed ? text[text.index(after: hostEnd)...] : text[hostEnd...]
    let port = rest.isEmpty ? defaultPort : rest.hasPrefix(":") ? Int(rest.dropFirst()) : nil
    guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0.asciiValue == 0 }) else { return nil }
    guard let port, (1...65_535).contains(port) else { return nil }
    return (String(host), port)
  }

  /// The request as its host gets it: origin form, nothing meant for the proxy, one request a connection.
  func request(from head: HTTPRequestHead) -> HTTPRequestHead {
    var request = head
    request.uri = path
    let isUpgrade = kind == .upgrade
    request.headers.removeHops(keeping: isUpgrade ? ["connection", "upgrade"] : [])
    if !isUpgrade { request.headers.replaceOrAdd(name: "Connection", value: "close") }
    return request
  }
}

extension HTTPHeaders {
  /// Removes what is meant for the next hop only, and what `Connection` names besides.
  mutating func removeHops(keeping kept: Set<String> = []) {
    let named = self[canonicalForm: "Connection"].map { $0.lowercased() }
    let hops = [
      "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
      "upgrade",
    ]
    for name in hops + named where !kept.contains(name) { remove(name: name) }
  }
}
