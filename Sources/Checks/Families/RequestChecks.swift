internal import RenderModel

/// What the ad asks for, and from whom.
enum RequestChecks {
  static let all: [Check] = [
    initialRequests, totalRequests, cookieCount, fileCount, documentCount, externalRequest, bundleName, orientationMeta,
    audioVideo,
  ]

  static let initialRequests = Check.limit(
    "initial-requests", family: .requests, unit: .requests, title: "Requests in the initial load",
    why: "Each request costs a round trip before the ad is there.",
    remedy: "Inline what is small, join pictures and scripts, load the rest later.", source: .iab
  ) { context in
    context.load.first { $0.kind == .windowLoad }.map {
      [Check.Reading(Double($0.initial.requests), what: "the initial load")]
    }
  }

  static let totalRequests = Check.limit(
    "total-requests", family: .requests, unit: .requests, title: "Requests in all",
    why: "Each request costs time, data and battery.",
    remedy: "Join files, and ask trackers and libraries for less.", source: .dv360
  ) { context in
    let total = LoadWeight(context.resources).requests
    return total == 0 ? nil : [Check.Reading(Double(total), what: "the ad")]
  }

  static let fileCount = Check.limit(
    "file-count", family: .requests, unit: .files, title: "Files in the bundle",
    why: "The network refuses bundles with more.",
    remedy: "Join pictures and scripts, take out what isn't used.", source: .cm360
  ) { context in
    context.inventory.flatMap { $0.isWhole ? [Check.Reading(Double($0.files.count), what: "the bundle")] : nil }
  }

  static let documentCount = Check.limit(
    "single-file", family: .requests, unit: .files, title: "One file and nothing else",
    why: "The network's SDK stores and shows a single document: what lies beside it is missing there.",
    remedy: "Inline scripts and styles, and pictures, fonts and films as data addresses.", source: .unity
  ) { context in
    guard let inventory = context.inventory else { return nil }
    // mraid.js is the container's, in every bundle.
    let files = inventory.files.filter { !$0.path.lowercased().hasSuffix("mraid.js") }
    return [Check.Reading(Double(files.count), what: "the creative")]
  }

  static let bundleName = Check.limit(
    "bundle-name", family: .requests, unit: .characters, title: "Length of the zip's name",
    why: "The network refuses longer names.", remedy: "Shorten the file's name.", source: .googleAds
  ) { context in
    guard let inventory = context.inventory, inventory.kind == "zip" else { return nil }
    return [Check.Reading(Double(inventory.name.count), what: inventory.name)]
  }

  static let cookieCount = Check.limit(
    "cookie-count", family: .requests, unit: .cookies, title: "Cookies",
    why: "Each cookie goes along with every later request, and says more about a person than an ad needs.",
    remedy: "Set fewer, and none from servers that only deliver pictures.", source: .dv360
  ) { context in
    guard let resources = context.measurements?.resources, !resources.isEmpty else { return nil }
    let set = resources.flatMap { resource in
      resource.responseHeaders.filter { $0.name.lowercased() == "set-cookie" }.map {
        "\(resource.host) \($0.value.prefix { $0 != "=" })"
      }
    }
    return [Check.Reading(Double(Set(set).count), what: "the ad")]
  }

  static let externalRequest = Check(
    "external-request", family: .requests, severity: .error, title: "Loads from elsewhere",
    why: "The network wants everything in the creative: what comes from another server can change or fail.",
    remedy: "Put the file into the creative and refer to it by a relative address.",
    source: .googleAds, needsProfile: true
  ) { context in
    let rules = context.rules(for: "external-request")
    guard !rules.isEmpty, context.record.creative.kind != "url" else { return nil }
    var known: Set<String> = []
    let loaded = context.resources.filter { $0.origin == .network && !$0.url.hasPrefix("data:") }
      .map { (name: $0.shortName, host: $0.host, does: "is loaded from") }
    let opened = context.sockets.map { (name: $0.withoutQuery, host: $0.addressHost, does: "is a connection to") }
    return (loaded + opened).compactMap { asked in
      let refusing = rules.filter { !asked.host.matches(any: $0.rule.except ?? []) }
      guard !refusing.isEmpty, known.insert(asked.name).inserted else { return nil }
      var issue = CheckIssue("\(asked.name) \(asked.does) outside the creative", subject: asked.name)
      issue.profiles = refusing.map(\.profile)
      issue.severity = refusing.map { $0.rule.severity ?? .error }.max()
      return issue
    }
  }

  static let orientationMeta = Check(
    "missing-orientation-meta", family: .requests, severity: .error, title: "No ad.orientation",
    why: "The network shows the ad by what its ad.orientation or ad.size meta element says.",
    remedy: "Add <meta name=\"ad.orientation\" content=\"portrait,landscape\">, or one of the two.",
    source: Citation(
      title: "Google Ads: HTML5 and playable ads for App campaigns",
      url: "https://support.google.com/google-ads/answer/9981650", date: "2026-11-21"),
    needsProfile: true
  ) { context in
    let rules = context.rules(for: "missing-orientation-meta")
    guard !rules.isEmpty, let inventory = context.inventory else { return nil }
    guard let text = inventory.files.first(where: { $0.path == inventory.entry })?.text else { return nil }
    guard !text.contains("ad.orientation"), !text.contains("ad.size") else { return [] }
    var issue = CheckIssue(
      "the document has neither ad.orientation nor ad.size", place: Finding.Place(file: inventory.entry, line: 1))
    issue.profiles = rules.map(\.profile)
    return [issue]
  }

  static let audioVideo = Check(
    "media", family: .requests, severity: .error, title: "Sound or video",
    why: "The network takes neither in this kind of ad.",
    remedy: "Show pictures or a drawing instead.", source: .googleHTML5, needsProfile: true
  ) { context in
    let rules = context.rules(for: "media")
    guard !rules.isEmpty else { return nil }
    let loaded = context.resources.filter { $0.type.hasPrefix("audio/") || $0.type.hasPrefix("video/") }
    var known: Set<String> = []
    return loaded.filter { known.insert($0.shortName).inserted }.map {
      var issue = CheckIssue("\($0.shortName) is \($0.type)", subject: $0.shortName)
      issue.profiles = rules.map(\.profile)
      return issue
    }
  }
}

extension MeasuredResource {
  /// `fonts.googleapis.com`; empty when there is none.
  var host: String { url.addressHost }
}

extension String {
  /// The host of an address, without port and user; empty when there is none.
  var addressHost: String {
    guard let start = firstRange(of: "://")?.upperBound else { return "" }
    let authority = self[start...].prefix { !"/?#".contains($0) }
    let host = authority.split(separator: "@").last ?? ""
    if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }).lowercased() }
    return String(host.prefix { $0 != ":" }).lowercased()
  }

  /// Whether it is one of these hosts, or below one.
  fileprivate func matches(any hosts: [String]) -> Bool {
    hosts.contains { self == $0 || hasSuffix("." + $0) }
  }
}
