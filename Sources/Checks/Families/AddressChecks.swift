internal import Core
internal import RenderModel

/// Addresses of a page: their destinations, and the security of the connection.
enum AddressChecks {
  static let insecureRequest = Check(
    "insecure-request", family: .security, severity: .error, title: "Request over plain http",
    why: "Secure pages and apps block plain http, and the content can be changed in transit.",
    remedy: "Use https for every address.", source: .mixedContent, needs: .rendered.union([.code])
  ) { context in
    let beacons = videoBeacons(context)
    let sockets = context.sockets
    let requests = context.requests
    guard !requests.isEmpty || !context.sources.isEmpty || !beacons.isEmpty || !sockets.isEmpty else { return nil }
    // Of a creative that a test server has over plain http, its own server's files are no fault of its maker's.
    let own = context.record.creative.kind == "url" ? context.record.creative.path.addressHost : nil
    let loaded = requests.flatMap { request in
      ([request.resource.url] + request.resource.redirects).map { (address: $0, way: request.way) }
    }
    let all = loaded + (beacons + sockets).map { (address: $0, way: "") }
    let asked = all.filter {
      ($0.address.hasPrefix("http://") || $0.address.hasPrefix("ws://")) && $0.address.addressHost != own
    }
    let issues = distinct(asked.map { (text: $0.address.withoutQuery, way: $0.way) }).map {
      CheckIssue("\($0.text) is requested over plain http\($0.way)", subject: $0.text)
    }
    // The engine blocks most of them before they are requests.
    let written = context.issues(at: plainAddresses(context), subject: \.plainAddress) {
      "\($0.plainAddress) would be requested over plain http"
    }
    return issues + written.filter { issue in !issues.contains { $0.subject == issue.subject } }
  }

  static let insecureClickthrough = Check(
    "insecure-clickthrough", family: .security, severity: .warning, title: "Clickthrough to plain http",
    why: "Apps' browsers may block plain http, so a tap opens nothing; the page can also be changed in transit.",
    remedy: "Use an https address for the clickthrough.", source: .transportSecurity, needs: .touched.union([.code])
  ) { context in
    guard context.hasLoaded else { return nil }
    let met = context.waysOut.filter { $0.address.hasPrefix("http://") }
    let defaults = clickTagAddresses(context)
    let written = context.passages(
      #/
        (?: \b open \s* \( | \b exit(?:Override)? \s* \( \s* ["'] [^"']* ["'] \s* , | \b location (?: \s* \. \s* href)? \s* = | <a \b [^>]* \b href \s* =)
        \s* ["'] http:// [^"']+
      /#, hint: "http://")
    let issues =
      met.map { met, address in
        CheckIssue(
          "a click leads to \(address.withoutQuery)\(met.way)", subject: address.withoutQuery, event: met.seq,
          screenshot: context.picture(of: met))
      }
      + written.map {
        CheckIssue("a click would lead to \($0.plainAddress)", subject: $0.plainAddress, place: $0.place)
      }
    var known: Set<String> = []
    return issues.filter { known.insert($0.subject).inserted }.map {
      var issue = $0
      // The server puts its own address there.
      if defaults.contains(issue.subject) { issue.severity = .note }
      return issue
    }
  }

  static let privateAddress = Check(
    "private-address", family: .security, severity: .error, title: "Request to a private address",
    why: "An address in the user's own network or machine is a forgotten test server or an attack on a router.",
    remedy: "Send requests to public servers only.", source: .privateNetwork, needs: .rendered
  ) { context in
    let own = context.record.creative.kind == "url" ? context.record.creative.path.addressHost : nil
    let sockets = context.sockets
    let requests = context.requests
    guard !requests.isEmpty || !sockets.isEmpty else { return nil }
    let hosts =
      requests.filter { $0.resource.origin == .network }.map { (text: $0.resource.host, way: $0.way) }
      + sockets.map { (text: $0.addressHost, way: "") }
    return distinct(hosts.filter { $0.text != own && $0.text.isPrivateHost }).map {
      CheckIssue("a request to \($0.text)\($0.way)", subject: $0.text)
    }
  }

  /// Returns passages that load from plain http; links that only lead there don't count.
  private static func plainAddresses(_ context: CheckContext) -> [CheckContext.Passage] {
    let loaded = context.passages(
      #/
        (?: \b (?: src | poster) \s* = | \b url \( | \b (?: fetch | sendBeacon | importScripts | playVideo) \( | @import
          | <link \b [^>]* \b href \s* = | \. open \( \s* ["'] [A-Z]{3,7} ["'] \s* ,
          | \b setAttribute \( \s* ["'] src ["'] \s* ,)
        \s* ["']? http:// [^"'\s)>]+
      /#, hint: "http://")
    let opened = context.passages(
      /\b(?:WebSocket|EventSource)\s*\(\s*["'](?:ws|http):\/\/[^"'\s]+/, hint: "ws://", "http://")
    return loaded + opened
  }

  /// Addresses that players must request to report a video's events, whether they were sent or not.
  private static func videoBeacons(_ context: CheckContext) -> [String] {
    context.journeys.flatMap(\.events).filter { $0.source == .vast }.flatMap { event in
      event.detail["beacons"]?.array?.compactMap(\.string) ?? []
    }
  }

  /// Default addresses of click tags, which the server replaces when it fills them in.
  private static func clickTagAddresses(_ context: CheckContext) -> Set<String> {
    Set(
      context.passages(/[cC]lick_?[tT][aA][gG]\w*\s*[:=]\s*["']http:\/\/[^"']+/, hint: "http://").map(\.plainAddress))
  }

  /// Returns each text once, in their order, with the way on which it was met first.
  private static func distinct(_ met: [(text: String, way: String)]) -> [(text: String, way: String)] {
    var known: Set<String> = []
    return met.filter { known.insert($0.text).inserted }
  }
}

extension String {
  /// Indicates if it names this machine or a non-public network (RFC 1918, 6598, 3927, 4193, 6761, 6762).
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

extension CheckContext.Passage {
  /// Address at the end of the passage, without the query.
  fileprivate var plainAddress: String {
    let start = text.firstRange(of: "http://") ?? text.firstRange(of: "ws://")
    return start.map { String(text[$0.lowerBound...]).withoutQuery } ?? text
  }
}
