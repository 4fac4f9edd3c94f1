internal import Core
internal import FoundationEssentials

/// A request that needs an answer.
package struct AskedRequest: Hashable, Sendable {
  package var method: String
  package var url: String
  package var headers: [Exchange.Header]
  /// Body of the request; nil for none.
  package var body: [UInt8]?

  package init(method: String, url: String, headers: [Exchange.Header] = [], body: [UInt8]? = nil) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
  }
}

/// Result of the search for a request's recorded answer.
package enum MatchResult: Sendable {
  /// An answer; `by` is the rule that was needed, nil for an identical request.
  case found(Exchange, by: MatchRule?)
  /// No answer; `nearest` describes the most similar request, or is empty.
  case missing(nearest: String)
}

/// Finds recorded answers: first to identical requests in their order, then by the file's rules, never by guessing.
///
/// The last answer to a GET is repeated for further ones, as an engine's cache may send more requests than before.
package struct RecordingIndex: Sendable {
  let exchanges: [Exchange]
  private let rules: [MatchRule]
  /// Reads a recorded request's body.
  private let body: @Sendable (Exchange.Content) -> [UInt8]?
  private var exact: [String: [Int]] = [:]
  private var loose: [String: [Int]] = [:]
  /// Places of GET exchanges by the request without its `Range`.
  private var whole: [String: [Int]] = [:]
  /// Number of a request's answers that were given, by its key.
  private var given: [String: Int] = [:]
  private var used: Set<Int> = []

  package init(
    exchanges: [Exchange], rules: [MatchRule] = [],
    body: @escaping @Sendable (Exchange.Content) -> [UInt8]? = { _ in nil }
  ) {
    self.exchanges = exchanges
    self.rules = rules
    self.body = body
    for (place, exchange) in exchanges.enumerated() {
      exact[Self.key(exchange), default: []].append(place)
      if !rules.isEmpty { loose[looseKey(of: exchange), default: []].append(place) }
      if exchange.method == "GET" { whole[wholeKey(exchange.url), default: []].append(place) }
    }
  }

  package mutating func match(_ request: AskedRequest) -> MatchResult {
    let digest = request.body.map { SHA256.of($0).hex }
    let same = Self.key(request.method, request.url, digest, request.range)
    if let place = take(exact[same], same, request) { return .found(exchanges[place], by: nil) }
    guard !rules.isEmpty else { return .missing(nearest: nearest(to: request)) }
    let alike = looseKey(of: request)
    if let place = take(loose[alike], "rules " + alike, request) {
      return .found(exchanges[place], by: rules.first { matters($0, request, exchanges[place]) })
    }
    return .missing(nearest: nearest(to: request))
  }

  /// Exchanges that no request has used.
  package var unused: [Exchange] { exchanges.indices.filter { !used.contains($0) }.map { exchanges[$0] } }

  /// Returns the first unused place; if all are used, the last one for a repeatable GET, nil for others.
  private mutating func take(_ places: [Int]?, _ key: String, _ request: AskedRequest) -> Int? {
    guard let places, !places.isEmpty else { return nil }
    // Those before were taken by now.
    var next = given[key, default: 0]
    while next < places.count, used.contains(places[next]) { next += 1 }
    given[key] = next
    if next < places.count {
      used.insert(places[next])
      return places[next]
    }
    return request.method == "GET" && !request.url.hasPrefix("ws") ? places.last : nil
  }

  /// Returns the places of the exchanges that have the file, or a part of it.
  func places(ofAnyPartOf request: AskedRequest) -> [Int] { whole[wholeKey(request.url)] ?? [] }

  mutating func use(_ place: Int) { used.insert(place) }

  private func wholeKey(_ url: String) -> String { looseKey("GET", url, nil) { [] } }

  /// Indicates if a rule ignores any part of either request.
  private func matters(_ rule: MatchRule, _ request: AskedRequest, _ exchange: Exchange) -> Bool {
    func matters(_ url: String, _ content: () -> [UInt8]) -> Bool {
      let address = RequestAddress(url)
      guard rule.host.map({ Glob.matches($0, address.host) }) ?? true else { return false }
      switch rule.part {
      case .query(let names): return address.query.contains { names?.contains($0.name) ?? true }
      case .body(nil): return !content().isEmpty
      case .body(let names?):
        let content = content()
        return BodyFields.without(names, content) != content
      }
    }
    return matters(request.url) { request.body ?? [] }
      || matters(exchange.url) { exchange.requestBody.flatMap { body($0) } ?? [] }
  }

  private static func key(_ exchange: Exchange) -> String {
    key(exchange.method, exchange.url, exchange.requestBody?.digest, exchange.requestHeaders.range)
  }

  private static func key(_ method: String, _ url: String, _ digest: String?, _ range: String?) -> String {
    "\(method) \(url)\n\(digest ?? "")\n\(range ?? "")"
  }

  private func looseKey(of exchange: Exchange) -> String {
    looseKey(exchange.method, exchange.url, exchange.requestHeaders.range) {
      exchange.requestBody.flatMap { body($0) } ?? []
    }
  }

  private func looseKey(of request: AskedRequest) -> String {
    looseKey(request.method, request.url, request.range) { request.body ?? [] }
  }

  private func looseKey(_ method: String, _ url: String, _ range: String?, _ body: () -> [UInt8]) -> String {
    let address = RequestAddress(url)
    let rules = rules.filter { rule in rule.host.map { Glob.matches($0, address.host) } ?? true }
    var query = address.query
    var content = body()
    for rule in rules {
      switch rule.part {
      case .query(let names): query.removeAll { names?.contains($0.name) ?? true }
      case .body(nil): content = []
      case .body(let names?): content = BodyFields.without(names, content)
      }
    }
    let rest = query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    return "\(method) \(address.base)?\(rest)\n\(SHA256.of(content).hex)\n\(range ?? "")"
  }

  /// Describes the most similar recorded request to the same address and its differences; empty for none.
  private func nearest(to request: AskedRequest) -> String {
    let asked = RequestAddress(request.url)
    let same = exchanges.filter { $0.method == request.method && RequestAddress($0.url).base == asked.base }
    guard
      let first = same.first(where: { exchange in !used.contains { exchanges[$0].index == exchange.index } })
        ?? same.first
    else { return "" }
    let recorded = RequestAddress(first.url)
    let names = Set(asked.query.map(\.name)).union(recorded.query.map(\.name)).sorted().filter { name in
      asked.query.filter { $0.name == name }.map(\.value) != recorded.query.filter { $0.name == name }.map(\.value)
    }
    guard names.isEmpty else { return "request \(first.index) differs in query \(names.joined(separator: ","))" }
    if request.body.map({ SHA256.of($0).hex }) != first.requestBody?.digest {
      return "request \(first.index) differs in its body"
    }
    return request.range == first.requestHeaders.range
      ? "it was requested \(same.count == 1 ? "once" : "\(same.count) times")"
      : "request \(first.index) is for another range"
  }
}

extension [Exchange.Header] {
  /// Returns the value of the first header with a name, given in lower case.
  func first(named name: String) -> String? { first { $0.name.lowercased() == name }?.value }

  /// Requested range of a body; nil for all of it.
  var range: String? { first(named: "range") }
}

extension AskedRequest {
  var range: String? { headers.range }
}

/// Parts of an address as it is written, without any decoding.
struct RequestAddress {
  let host: String
  /// All text before the query.
  let base: String
  let query: [(name: String, value: String)]

  init(_ url: String) {
    let mark = url.firstIndex(of: "?") ?? url.endIndex
    let whole = String(url[..<mark])
    base = whole
    let rest = whole.firstRange(of: "://").map { whole[$0.upperBound...] } ?? whole[...]
    let authority = rest.prefix { $0 != "/" }
    let bare = authority.split(separator: "@").last ?? authority
    host = bare.hasPrefix("[") ? String(bare.prefix { $0 != "]" }.dropFirst()) : String(bare.prefix { $0 != ":" })
    query = url[mark...].dropFirst().split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
  }
}

/// Fields of a body that is JSON or a form.
enum BodyFields {
  /// Returns the body without some fields; unchanged if it has none of them.
  static func without(_ names: Set<String>, _ body: [UInt8]) -> [UInt8] {
    if let value = JSONText.value(body), case .object = value {
      return (try? JSONText.bytes(removing(names, from: value, at: ""))) ?? body
    }
    guard body.contains(UInt8(ascii: "=")) else { return body }
    let pairs = String(decoding: body, as: UTF8.self).split(separator: "&").filter { pair in
      !names.contains(String(pair.prefix { $0 != "=" }))
    }
    return Array(pairs.joined(separator: "&").utf8)
  }

  private static func removing(_ names: Set<String>, from value: JSONValue, at place: String) -> JSONValue {
    switch value {
    case .object(let members):
      var kept: [String: JSONValue] = [:]
      for (name, member) in members {
        let path = place.isEmpty ? name : "\(place).\(name)"
        if !names.contains(path) { kept[name] = removing(names, from: member, at: path) }
      }
      return .object(kept)
    case .array(let elements): return .array(elements.map { removing(names, from: $0, at: place) })
    default: return value
    }
  }
}
