/// A recording for people: each request in a line, and whom it was sent to.
package struct RecordingSummary: Codable, Hashable, Sendable {
  package var requests: [Request]
  /// Parties by registrable domain, the one with most requests first.
  package var parties: [Party]
  package var rules: [String]

  package struct Request: Codable, Hashable, Sendable {
    package var index: Int
    package var method: String
    package var url: String
    /// Nil where no response came.
    package var status: Int?
    package var failure: String?
    /// Bytes of the body, decoded.
    package var size: Int
    /// Milliseconds of the machine's time until all was there.
    package var milliseconds: Double
    /// When it was asked for, in milliseconds of the render's time.
    package var startedAt: Double
    package var address: String?
    package var tls: String?
  }

  package struct Party: Codable, Hashable, Sendable {
    package var domain: String
    package var hosts: [String]
    package var requests: Int
    package var bytes: Int
    /// How many answers set cookies.
    package var cookies: Int
  }

  package init(_ exchanges: [Exchange], rules: [MatchRule]) {
    requests = exchanges.map { exchange in
      Request(
        index: exchange.index, method: exchange.method, url: exchange.url, status: exchange.response?.status,
        failure: exchange.failure?.rawValue, size: exchange.response?.content?.size ?? 0,
        milliseconds: exchange.timing.untilHead + (exchange.timing.receive ?? 0), startedAt: exchange.startedAt,
        address: exchange.server?.address, tls: exchange.server?.tls?.version)
    }
    let byDomain = Dictionary(grouping: exchanges) { RegistrableDomain.of(RequestAddress($0.url).host) }
    parties = byDomain.map { domain, exchanges in
      Party(
        domain: domain, hosts: Set(exchanges.map { RequestAddress($0.url).host }).sorted(), requests: exchanges.count,
        bytes: exchanges.reduce(0) { $0 + ($1.response?.wireSize ?? 0) },
        cookies: exchanges.filter { $0.response?.headers.contains { $0.name.lowercased() == "set-cookie" } == true }.count)
    }.sorted { ($1.requests, $0.domain) < ($0.requests, $1.domain) }
    self.rules = rules.map(\.text)
  }
}

/// The part of a host's name that somebody registered.
///
/// By the commonest suffixes of two parts rather than by the whole list of public suffixes, which changes every week.
enum RegistrableDomain {
  private static let second: Set<String> = ["ac", "co", "com", "edu", "go", "gov", "ne", "net", "or", "org"]
  private static let shared: Set<String> = [
    "github.io", "cloudfront.net", "azureedge.net", "herokuapp.com", "netlify.app", "vercel.app", "pages.dev", "web.app",
    "appspot.com", "blogspot.com", "amazonaws.com", "akamaized.net", "fastly.net",
  ]

  static func of(_ host: String) -> String {
    let parts = host.lowercased().split(separator: ".")
    guard parts.count > 2, !parts.allSatisfy({ Int($0) != nil }), !host.contains(":") else { return host.lowercased() }
    let last = parts.suffix(2).joined(separator: ".")
    let isLonger = shared.contains(last) || parts[parts.count - 1].count == 2 && second.contains(String(parts[parts.count - 2]))
    return parts.suffix(isLonger ? 3 : 2).joined(separator: ".")
  }
}
