internal import Core
internal import RenderModel

/// What a page's addresses say: where they lead, and how safely.
enum AddressChecks {
  static let insecureRequest = Check(
    "insecure-request", family: .security, severity: .error, title: "Plain http",
    why: "Secure pages and apps block plain http, and on the way anybody can change what comes.",
    remedy: "Use https everywhere.", source: .mixedContent
  ) { context in
    let beacons = videoBeacons(context)
    let sockets = context.sockets
    guard !context.resources.isEmpty || !context.sources.isEmpty || !beacons.isEmpty || !sockets.isEmpty else {
      return nil
    }
    // Of a creative that a test server has over plain http, its own server's files are no fault of its maker's.
    let own = context.record.creative.kind == "url" ? context.record.creative.path.addressHost : nil
    let all =
      context.resources.flatMap { [$0.url] + $0.redirects } + context.requestsWhileExploring + beacons + sockets
    let asked = all.filter { ($0.hasPrefix("http://") || $0.hasPrefix("ws://")) && $0.addressHost != own }
    let issues = distinct(asked.map(\.withoutQuery)).map {
      CheckIssue("\($0) is asked for over plain http", subject: $0)
    }
    // The engine blocks most of them before they are requests.
    let written = context.issues(at: plainAddresses(context), subject: \.plainAddress) {
      "\($0.plainAddress) would be asked for over plain http"
    }
    return issues + written.filter { issue in !issues.contains { $0.subject == issue.subject } }
  }

  static let insecureClickthrough = Check(
    "insecure-clickthrough", family: .security, severity: .warning, title: "Leads to plain http",
    why: "Apps' browsers may refuse plain http, and a tap leads to nothing; on the way anybody can change what comes.",
    remedy: "Lead to an https address.", source: .transportSecurity
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
    "private-address", family: .security, severity: .error, title: "Asks a private address",
    why: "An address of the person's own network or machine is a forgotten test server, or an attack on a router.",
    remedy: "Ask public servers only.", source: .privateNetwork
  ) { context in
    let own = context.record.creative.kind == "url" ? context.record.creative.path.addressHost : nil
    let sockets = context.sockets
    guard !context.resources.isEmpty || !sockets.isEmpty else { return nil }
    let hosts = context.resources.filter { $0.origin == .network }.map(\.host) + sockets.map(\.addressHost)
    return distinct(hosts.filter { $0 != own && $0.isPrivateHost }).map {
      CheckIssue("a request to \($0)", subject: $0)
    }
  }

  /// Where the code names what it loads over plain http; links that only lead there don't count.
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

  /// What players are to tell of a film, whether or not it was sent.
  private static func videoBeacons(_ context: CheckContext) -> [String] {
    context.journeys.flatMap(\.events).filter { $0.source == .vast }.flatMap { event in
      event.detail["beacons"]?.array?.compactMap(\.string) ?? []
    }
  }

  /// What click tags begin with, which the server that fills them in replaces.
  private static func clickTagAddresses(_ context: CheckContext) -> Set<String> {
    Set(
      context.passages(/[cC]lick_?[tT][aA][gG]\w*\s*[:=]\s*["']http:\/\/[^"']+/, hint: "http://").map(\.plainAddress))
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

extension CheckContext.Passage {
  /// The address at its end, without the query.
  fileprivate var plainAddress: String {
    let start = text.firstRange(of: "http://") ?? text.firstRange(of: "ws://")
    return start.map { String(text[$0.lowerBound...]).withoutQuery } ?? text
  }
}
