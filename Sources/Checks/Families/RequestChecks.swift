internal import Core
internal import RenderModel

/// Requests of the ad, and their recipients.
enum RequestChecks {
  static let all: [Check] =
    [
      initialRequests, totalRequests, cookieCount, fileCount, documentCount, externalRequest, bundleName,
      orientationMeta, audioVideo,
    ] + PlayablePackageChecks.all

  static let initialRequests = Check.limit(
    "initial-requests", family: .requests, unit: .requests, title: "Requests in the initial load",
    why: "Each request adds a round trip before the ad is shown.",
    remedy: "Inline small files, merge images and scripts, and load the rest later.", source: .iab, needs: .rendered
  ) { context in
    context.load.first { $0.kind == .windowLoad }.map {
      [Check.Reading(Double($0.initial.requests), what: "the initial load")]
    }
  }

  static let totalRequests = Check.limit(
    "total-requests", family: .requests, unit: .requests, title: "Total requests",
    why: "Each request costs time, data and battery.",
    remedy: "Merge files, and reduce trackers and libraries.", source: .dv360, needs: .rendered
  ) { context in
    let total = LoadWeight(context.resources).requests
    return total == 0 ? nil : [Check.Reading(Double(total), what: "the ad")]
  }

  static let fileCount = Check.limit(
    "file-count", family: .requests, unit: .files, title: "Files in the bundle",
    why: "The network rejects bundles with more files.",
    remedy: "Merge images and scripts, and remove unused files.", source: .cm360, needs: [.files]
  ) { context in
    context.inventory.flatMap { $0.isWhole ? [Check.Reading(Double($0.files.count), what: "the bundle")] : nil }
  }

  static let documentCount = Check.limit(
    "single-file", family: .requests, unit: .files, title: "Files beside the single document",
    why: "The network's SDK stores and shows a single document; files beside it are missing there.",
    remedy: "Inline scripts and styles, and embed images, fonts and videos as data: URLs.", source: .unity,
    needs: [.files]
  ) { context in
    guard let inventory = context.inventory else { return nil }
    // mraid.js is the container's, in every bundle.
    let files = inventory.files.filter { !$0.path.lowercased().hasSuffix("mraid.js") }
    return [Check.Reading(Double(files.count), what: "the creative")]
  }

  static let bundleName = Check.limit(
    "bundle-name", family: .requests, unit: .characters, title: "Length of the zip's name",
    why: "The network rejects longer names.", remedy: "Shorten the file's name.", source: .googleAds, needs: [.files]
  ) { context in
    guard let inventory = context.inventory, inventory.kind == "zip" else { return nil }
    return [Check.Reading(Double(inventory.name.count), what: inventory.name)]
  }

  static let cookieCount = Check.limit(
    "cookie-count", family: .requests, unit: .cookies, title: "Cookies",
    why: "Each cookie is sent with every later request, and reveals more about the user than an ad needs.",
    remedy: "Set fewer cookies, and none from servers that only deliver images.", source: .dv360, needs: .measured
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
    "external-request", family: .requests, severity: .error, title: "External request",
    why: "The network requires all files in the creative, as files on other servers can change or fail.",
    remedy: "Add the file to the creative, and use a relative address.",
    source: .googleAds, needs: .rendered,
    alsoNeeds: { $0.record.creative.kind == "url" ? [.files] : [] }, needsProfile: true
  ) { context in
    let rules = context.rules(for: "external-request")
    guard !rules.isEmpty, context.record.creative.kind != "url" else { return nil }
    var known: Set<String> = []
    let loaded = context.requests.filter { $0.resource.origin == .network && !$0.resource.url.hasPrefix("data:") }
      .map { (name: $0.resource.shortName, host: $0.resource.host, does: "is loaded from", way: $0.way) }
    let opened = context.sockets.map {
      (name: $0.withoutQuery, host: $0.addressHost, does: "is a connection to a server", way: "")
    }
    return (loaded + opened).compactMap { asked in
      let refusing = rules.filter { !asked.host.matches(any: $0.rule.except ?? []) }
      guard !refusing.isEmpty, known.insert(asked.name).inserted else { return nil }
      var issue = CheckIssue(
        "\(asked.name) \(asked.does) outside the creative\(asked.way)", subject: asked.name)
      issue.profiles = refusing.map(\.profile)
      issue.severity = refusing.map { $0.rule.severity ?? .error }.max()
      return issue
    }
  }

  static let orientationMeta = Check(
    "missing-orientation-meta", family: .requests, severity: .error, title: "No ad.orientation or ad.size",
    why: "The network decides by the ad.orientation or ad.size meta element how to show the ad.",
    remedy: "Add <meta name=\"ad.orientation\" content=\"portrait,landscape\">, or only one of the two.",
    source: Citation(
      title: "Google Ads: HTML5 and playable ads for App campaigns",
      url: "https://support.google.com/google-ads/answer/9981650", date: "2026-11-21"), needs: [.code],
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
    "media", family: .requests, severity: .error, title: "Audio or video",
    why: "The network accepts no audio or video in this kind of ad.",
    remedy: "Use images or a drawing instead.", source: .googleHTML5, needs: .rendered, needsProfile: true
  ) { context in
    let rules = context.rules(for: "media")
    guard !rules.isEmpty else { return nil }
    let loaded = context.requests.filter { request in
      ["audio/", "video/"].contains { request.resource.type.hasPrefix($0) }
    }
    var known: Set<String> = []
    return loaded.filter { known.insert($0.resource.shortName).inserted }.map {
      let name = $0.resource.shortName
      var issue = CheckIssue("\(name) is \($0.resource.type)\($0.way)", subject: name)
      issue.profiles = rules.map(\.profile)
      return issue
    }
  }
}

extension MeasuredResource {
  /// Host as `fonts.googleapis.com`; empty if there is none.
  var host: String { url.addressHost }
}

extension String {
  /// Indicates if the host is one of these, or a subdomain of one.
  fileprivate func matches(any hosts: [String]) -> Bool {
    hosts.contains { self == $0 || hasSuffix("." + $0) }
  }
}
