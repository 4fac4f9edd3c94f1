internal import Core
internal import RenderModel

/// Links that only the apps and stores of another system open.
enum StoreLinkCheck {
  static let otherSystemLink = Check(
    "other-system-link", family: .behaviour, severity: .error, title: "Link to another system's store",
    why: "Apps and stores of one system don't open on another: a tap opens nothing, or another phone's page.",
    remedy: "Choose the store by navigator.userAgent, or use a web address that redirects to the right store.",
    source: Citation(
      title: "Android: linking to Google Play",
      url: "https://developer.android.com/distribute/marketing-tools/linking-to-google-play", date: "2026-11-28"),
    needs: .touched.union([.code])
  ) { context in
    guard context.hasLoaded, let system = context.record.device.system else { return nil }
    let device = context.record.device.name
    let taken = context.waysOut.compactMap { met, address -> CheckIssue? in
      guard let link = StoreLink(address), link.system != system else { return nil }
      guard let severity = link.severity(on: system) else { return nil }
      var issue = CheckIssue(
        "\(link.shown) leads to \(link.owner), which isn't the system of \(device)\(met.way)", subject: link.shown,
        event: met.seq, screenshot: context.picture(of: met))
      issue.severity = severity
      return issue
    }
    // Code that asks for the system may have an address for each.
    let choosesBySystem = context.sources.contains { source in
      ["userAgent", "navigator.platform"].contains { source.text.contains($0) }
    }
    let written =
      choosesBySystem
      ? []
      : written(context).compactMap { passage -> CheckIssue? in
        guard let link = StoreLink(passage.address), link.system != system, link.isScheme else { return nil }
        return CheckIssue(
          "a click would lead to \(link.shown) for \(link.owner), which isn't the system of \(device)",
          subject: link.shown, place: passage.place)
      }
    let issues = taken + written
    let hasEvidence = context.wasTouched || !context.waysOut.isEmpty || !context.sources.isEmpty
    guard !issues.isEmpty || hasEvidence else { return nil }
    var known: Set<String> = []
    return issues.filter { known.insert($0.subject).inserted }
  }

  /// Returns addresses with stores' schemes in links and calls of the code.
  private static func written(_ context: CheckContext) -> [(address: String, place: Finding.Place)] {
    context.passages(
      #/
        (?: href \s* = | open \s* \( | location (?: \.href )? \s* = | clickTag \s* = )
        \s* ["'] (?: market | intent | android-app | itms[a-z\-]{0,12} ) : [^"'\s]{1,500}
      /#,
      hint: "market:", "intent:", "android-app:", "itms"
    ).compactMap { passage in
      passage.text.lastIndex { "\"'".contains($0) }.map {
        (String(passage.text[passage.text.index(after: $0)...]), passage.place)
      }
    }
  }
}

/// An address that belongs to the store or apps of one system.
private struct StoreLink {
  let system: DeviceSystem
  /// Indicates if only that system's apps open it, rather than any browser.
  let isScheme: Bool
  /// Address without its query, at most 200 characters.
  let shown: String

  init?(_ address: String) {
    let scheme = String(address.prefix { $0 != ":" }).lowercased()
    switch scheme {
    case "market", "intent", "android-app": (system, isScheme) = (.android, true)
    case "itms", "itmss", "itms-apps", "itms-appss", "itms-services", "itms-books": (system, isScheme) = (.ios, true)
    case "http", "https":
      guard let system = Self.hosts[address.addressHost] else { return nil }
      (self.system, isScheme) = (system, false)
    default: return nil
    }
    shown = address.withoutQuery.cut(to: 200)
  }

  private static let hosts: [String: DeviceSystem] = [
    "play.google.com": .android, "market.android.com": .android, "apps.apple.com": .ios, "itunes.apple.com": .ios,
  ]

  var owner: String { system == .android ? "Android" : "iOS" }

  /// Returns the severity on a device: error for schemes; for web pages a warning on phones, nil on a desktop.
  func severity(on device: DeviceSystem) -> Severity? {
    guard !isScheme else { return .error }
    return device == .desktop ? nil : .warning
  }
}
