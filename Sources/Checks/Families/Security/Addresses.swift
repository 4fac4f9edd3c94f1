internal import Core
internal import Jobs

extension Check {
  static let insecureRequest = Check(
    "insecure-request", family: .security, severity: .error, title: "Plain http",
    why: "Secure pages and apps block plain http, and on the way anybody can change what comes.",
    remedy: "Use https everywhere.", source: .mixedContent
  ) { evidence in
    guard evidence.record.creative.kind != "url" || !evidence.record.creative.path.hasPrefix("http:") else {
      return nil
    }
    guard !evidence.resources.isEmpty || !evidence.sources.isEmpty else { return nil }
    let asked = evidence.resources.flatMap { resource in
      ([resource.url] + resource.redirects).filter { $0.hasPrefix("http://") || $0.hasPrefix("ws://") }
    }
    let remarks = distinct(asked.map(\.withoutQuery)).map { Remark("\($0) is asked for over plain http", subject: $0) }
    // The engine blocks most of them before they are requests.
    let written = evidence.remarks(at: evidence.plainAddresses, subject: \.plainAddress) {
      "\($0.plainAddress) would be asked for over plain http"
    }
    return remarks + written.filter { remark in !remarks.contains { $0.subject == remark.subject } }
  }

  static let privateAddress = Check(
    "private-address", family: .security, severity: .error, title: "Asks a private address",
    why: "An address of the person's own network or machine is a forgotten test server, or an attack on a router.",
    remedy: "Ask public servers only.", source: .privateNetwork
  ) { evidence in
    let own = evidence.record.creative.kind == "url" ? evidence.record.creative.path.addressHost : nil
    guard !evidence.resources.isEmpty else { return nil }
    let hosts = evidence.resources.filter { $0.origin == .network }.map(\.host).filter {
      $0 != own && $0.isPrivateHost
    }
    return distinct(hosts).map { Remark("a request to \($0)", subject: $0) }
  }

  /// Each once, in their order.
  private static func distinct(_ texts: [String]) -> [String] {
    var known: Set<String> = []
    return texts.filter { known.insert($0).inserted }
  }
}

extension String {
  /// Whether it names this machine or a network that isn't the public one (RFC 1918, 6598, 3927, 4193, 6761, 6762).
  var isPrivateHost: Bool {
    if self == "localhost" || hasSuffix(".localhost") || hasSuffix(".local") || hasSuffix(".internal") { return true }
    if contains(":") { return self == "::1" || hasPrefix("fc") || hasPrefix("fd") || hasPrefix("fe80:") }
    let parts = split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    guard parts.count == 4, let first = parts[0], let second = parts[1], parts[2] != nil, parts[3] != nil else {
      return false
    }
    return switch (first, second) {
    case (0, _), (10, _), (127, _), (169, 254), (192, 168): true
    case (100, 64...127), (172, 16...31): true
    default: false
    }
  }
}

extension Evidence {
  /// Where the code names what it loads over plain http; links that only lead there don't count.
  fileprivate var plainAddresses: [Passage] {
    passages(
      /(?:\b(?:src|poster)\s*=|\burl\(|\bfetch\(|<link\b[^>]*\bhref\s*=)\s*["']?http:\/\/[^"'\s)>]+/, hint: "http://")
  }
}

extension Evidence.Passage {
  /// The address at its end, without the query.
  fileprivate var plainAddress: String {
    text.firstRange(of: "http://").map { String(text[$0.lowerBound...]).withoutQuery } ?? text
  }
}
