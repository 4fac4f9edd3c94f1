internal import Core
internal import MRAID
internal import RenderModel

/// Destinations of an ad's clicks, and if they can be reached.
enum ClickthroughChecks {
  static let noClickthrough = Check(
    "no-clickthrough", family: .behaviour, severity: .error, title: "No clickthrough",
    why: "No tried action leads to the advertiser, so the user can't respond to the ad.",
    remedy:
      "Open the store or site on a tap: by mraid.open(url), by the network's call, or in plain HTML by the click tag.",
    source: .cm360, needs: .rendered,
    alsoNeeds: { $0.leadsOut ? [] : [.exploration, .wholeExploration] }
  ) { context in
    guard !context.leadsOut else { return [] }
    guard context.exploration != nil else { return nil }
    // Clicks that lead nowhere, and ways that weren't tried, are told by checks of their own.
    guard context.waysOut.isEmpty, context.untried.isEmpty else { return nil }
    let calls = context.storeCalls.map(\.shown).joined(separator: " or ")
    return [CheckIssue("no tappable element leads out of the ad" + (calls.isEmpty ? "" : ": call \(calls) on a tap"))]
  }

  static let notReached = Check(
    "clickthrough-not-reached", family: .behaviour, severity: .note, title: "Not judged: no clickthrough reached",
    why: "The exploration didn't reach all of the ad, so it is unknown if the ad leads to the advertiser.",
    remedy: "Play a scenario that reaches the end of the ad, or explore with more --explore-actions.",
    source: .galley, needs: .explored
  ) { context in
    guard let exploration = context.exploration else { return nil }
    let untried = context.untried
    guard !context.leadsOut, context.waysOut.isEmpty, !untried.isEmpty else { return [] }
    let count = exploration.actions == 1 ? "1 action" : "\(exploration.actions) actions"
    return [
      CheckIssue(
        "not judged: the exploration (\(count)) reached no clickthrough: \(untried.joined(separator: "; "))")
    ]
  }

  static let deadClickthrough = Check(
    "dead-clickthrough", family: .behaviour, severity: .error, title: "Click that leads nowhere",
    why: "No browser, store or app opens such an address, so the user never reaches the advertiser.",
    remedy:
      "Open an absolute address (https://…, or one of a store or app), also in the click tag, or use the store call.",
    source: .cm360, needs: .touched
  ) { context in
    guard context.hasLoaded else { return nil }
    let clicks = context.clicks
    guard context.wasTouched || !clicks.isEmpty else { return nil }
    var known: Set<String> = []
    return clicks.compactMap { met, address -> CheckIssue? in
      guard let problem = context.problem(of: address), known.insert(address).inserted else { return nil }
      let shown = address.isEmpty ? "no address" : "\"\(address.cut(to: 200))\""
      return CheckIssue(
        "a click leads to \(shown)\(context.touch(before: met)): \(problem)",
        subject: address.withoutQuery.cut(to: 200), event: met.seq, screenshot: context.picture(of: met))
    }
  }

  static let clickTag = Check(
    "missing-click-tag", family: .behaviour, severity: .error, title: "Missing or bypassed click tag",
    why: "The network sets its own counting address in the click tag, and can't count clicks without it.",
    remedy: "Store the address in a variable clickTag and open that, or use the network's exit API.",
    source: .cm360, needs: [.code],
    alsoNeeds: { $0.hasExitInterface || $0.clickTagValues.isEmpty ? [] : .touched.union([.clickthrough]) },
    needsProfile: true
  ) { context in
    let rules = context.rules(for: "missing-click-tag")
    guard !rules.isEmpty, !context.sources.isEmpty else { return nil }
    let hasInterface = context.hasExitInterface
    let hasTag = context.sources.contains { $0.text.lowercased().contains("clicktag") }
    guard hasInterface || hasTag || context.inventory?.isCut != true else { return nil }
    var issues: [CheckIssue] = []
    if !hasInterface, hasTag { issues = clicksPastTag(context) }
    if !hasInterface, !hasTag { issues = [CheckIssue("no file contains a click tag or an exit API")] }
    return issues.map {
      var issue = $0
      issue.profiles = rules.map(\.profile)
      return issue
    }
  }

  /// Functions of Google's interfaces that count a click and open the advertiser's page, in these letters only.
  ///
  /// `ExitApi` is that of App campaigns, `Enabler` that of Studio.
  static let exits = [
    "ExitApi.exit", "Enabler.exit", "Enabler.exitOverride", "Enabler.exitQueryString",
  ].map(StoreCall.init)

  static let coveredTarget = Check(
    "covered-target", family: .behaviour, severity: .warning, title: "Tappable element is covered",
    why: "The tap hits the covering element and has no effect.",
    remedy: "Remove the covering element, move it behind, or set pointer-events: none on it.",
    source: .html, needs: .explored
  ) { context in
    guard let exploration = context.exploration else { return nil }
    let states = exploration.states.filter { $0.opened == nil }
    let reached = Set(states.flatMap(\.targets).filter { $0.reach == .tappable }.map(\.element))
    var known: Set<String> = []
    return states.flatMap(\.coveredTargets).filter {
      !reached.contains($0.element) && known.insert($0.element).inserted
    }.map { target in
      CheckIssue(
        "\(target.element) is covered: \(target.coveredBy ?? "another element") receives the tap",
        subject: target.element)
    }
  }

  /// Returns issues for clicks that avoid the click tag's address, if no click uses it.
  private static func clicksPastTag(_ context: CheckContext) -> [CheckIssue] {
    let values = context.clickTagValues
    let clicks = context.clicks.filter { context.problem(of: $0.address) == nil }
    // Names of hosts in other letters are written otherwise in the address that is opened.
    guard let value = values.first, values.allSatisfy({ $0.allSatisfy(\.isASCII) }), !clicks.isEmpty,
      !clicks.contains(where: { click in values.contains { click.address.goesBy($0) } })
    else { return [] }
    var known: Set<String> = []
    return clicks.filter { known.insert($0.address.withoutQuery).inserted }.map { met, address -> CheckIssue in
      CheckIssue(
        "the click tag is \(value.cut(to: 200)), but a click leads to \(address.withoutQuery.cut(to: 200))"
          + context.touch(before: met), subject: address.withoutQuery, event: met.seq,
        screenshot: context.picture(of: met))
    }
  }
}

extension CheckContext {
  /// Ways out that a click took, or that the ad requested from the host.
  fileprivate var clicks: [(met: Met, address: String)] {
    waysOut.filter { $0.met.event.source != .page || $0.met.event.detail["gesture"]?.bool == true }
  }

  /// Indicates if the ad uses a network's interface for clicks, in the place of a click tag.
  fileprivate var hasExitInterface: Bool {
    let opened = events(.playable, .storeOpened)
    return ClickthroughChecks.exits.contains { exit in
      opened.contains { exit.isMade(by: $0.event) } || exit.isNamed(in: inventory)
    }
  }

  /// Addresses that the code sets in click tags, of which a click has to use one.
  fileprivate var clickTagValues: [String] {
    passages(/[cC]lick_?[tT][aA][gG]\w*\s*[:=]\s*["'][^"']+["']/, hint: "lick").map(\.quoted)
  }

  /// Indicates if any event led to a destination, or would have.
  fileprivate var leadsOut: Bool {
    let opened = storesOpened.filter { $0.event.detail["url"] == nil }
    return !(events(.creative, .playVideo) + opened).isEmpty || waysOut.contains { problem(of: $0.address) == nil }
  }

  /// Returns the reason why an address leads nowhere; nil if it can be opened, or has a macro that a server fills in.
  fileprivate func problem(of address: String) -> String? {
    guard Macro.all(inAddress: address).isEmpty else { return nil }
    if let problem = AdLink.destinationProblem(address) { return problem }
    // A relative address is one of the creative's; `//a.example/` becomes one of another host.
    let isOfCreative = address.hasPrefix("creative:") && address.addressHost == "ad"
    let isOfPage = record.creative.kind == "url" && address.withoutFragment == record.creative.path.withoutFragment
    return isOfCreative || isOfPage ? "it stays in the ad" : nil
  }

  /// Returns the last action before the event, as `, after tap #cta`; empty if there was none.
  fileprivate func touch(before met: Met) -> String {
    guard met.action == nil else { return met.way }
    guard let touch = events.last(where: { $0.source == .input && $0.seq < met.event.seq }) else { return "" }
    let detail = touch.detail
    if let selector = detail["selector"]?.string { return ", after \(touch.name) \(selector)" }
    guard let x = detail["x"]?.number, let y = detail["y"]?.number else { return ", after \(touch.name)" }
    return ", after \(touch.name) at \(x.rounded().plain),\(y.rounded().plain)"
  }

  /// Reasons why the exploration can't prove that there is no clickthrough; empty if it tried everything.
  var untried: [String] {
    guard let exploration else { return [] }
    let isOpenNamed = exploration.unreached.contains(Event.Name.open.rawValue)
    let reasons: [String?] = [
      exploration.isComplete ? nil : "its budget ended before every action was tried",
      exploration.failures == 0 ? nil : "\(exploration.failures) of them failed, with an unknown effect",
      exploration.states.contains(where: \.isCut) ? "a page has more elements than are examined" : nil,
      exploration.mergesNumbers ? "states that differ only in numbers were counted as one" : nil,
      isOpenNamed || namesWayOut ? "the code has a way out that no tried action reached" : nil,
    ]
    return reasons.compactMap(\.self)
  }

  /// Indicates if the creative's own code could lead out of the ad.
  private var namesWayOut: Bool {
    let called = passages(
      /\b(?:(?:mraid|window|self|top|parent)\s*\.\s*open|location\s*\.\s*(?:assign|replace))\s*\(/,
      hint: "open", "location")
    let assigned = passages(/\blocation(?:\s*\.\s*href)?\s*=[^=]/, hint: "location")
    let linked = passages(#/<a\b[^>]*\bhref\s*=\s*["']?(?:https?:)?\/\//#, hint: "href")
    let isLinked = !(called.isEmpty && assigned.isEmpty && linked.isEmpty)
    let calls = StoreCall.all.filter { $0.text != "mraid.open" } + ClickthroughChecks.exits
    return isLinked || calls.contains { $0.isNamed(in: inventory) }
  }
}

extension CheckContext.Passage {
  /// Text in quotes at the passage's end.
  fileprivate var quoted: String { String(text.drop { $0 != "\"" && $0 != "'" }.dropFirst().dropLast()) }
}

extension PageSnapshot {
  /// Elements that declare an effect of a tap, but are covered by an element that declares none.
  fileprivate var coveredTargets: [TapTarget] {
    let tappable = targets.filter { $0.reach == .tappable && $0.container == nil }
    return targets.filter { target in
      target.reach == .covered && !target.closes && target.container == nil
        && !tappable.contains { $0.frame.contains(target.point) }
    }
  }
}

extension String {
  /// Indicates if this address leads to or through another: it contains that, plainly or percent-encoded.
  fileprivate func goesBy(_ other: String) -> Bool {
    let wanted = other.lowercased()
    let plain = wanted.hasSuffix("/") ? String(wanted.dropLast()) : wanted
    return lowercased().contains(plain) || PercentEscapes.decoded(self).lowercased().contains(plain)
  }

  fileprivate var withoutFragment: Substring { prefix { $0 != "#" } }
}
