internal import Core
internal import Exploration
internal import RenderModel

/// What a creative does to a person, and what a person can do with it.
enum BehaviourChecks {
  static let all: [Check] = [
    noClickthrough, clickWithoutOpen, clickTag, deadTap, unaskedExpansion, selfRemoval, earlyPlayback, audibleStart,
    journeyChanged,
  ]

  static let noClickthrough = Check(
    "no-clickthrough", family: .behaviour, severity: .error, title: "No clickthrough",
    why: "Nothing that was tried leads to the advertiser, so nobody can follow the ad.",
    remedy: "Call mraid.open(url) from a tap; in a plain HTML ad, open a link or the click tag.",
    source: .cm360
  ) { context in
    guard let exploration = context.exploration else { return nil }
    guard !leadsOut(context) else { return [] }
    guard exploration.isComplete else { return nil }
    return [CheckIssue("nothing that can be tapped leads out of the ad")]
  }

  static let clickWithoutOpen = Check(
    "click-without-open", family: .behaviour, severity: .warning, title: "Click past mraid.open",
    why: "Containers only count and carry out clicks that go through mraid.open(); others may blank the ad.",
    remedy: "Call mraid.open(url) instead of following a link or changing the location.",
    source: .mraid3
  ) { context in
    guard context.usesMRAID, context.wasTouched else { return nil }
    let clicks = context.events(.page, "navigation", "popup").filter {
      $0.event.detail["gesture"]?.bool == true && $0.event.detail["allowed"]?.bool == false
    }
    return context.issues(on: clicks, subject: { $0.event.name }) {
      "a tap led to \($0.text("url")) past mraid.open()"
    }
  }

  static let clickTag = Check(
    "missing-click-tag", family: .behaviour, severity: .error, title: "No click tag",
    why: "The network puts its own address and counting into the click tag; without one it can't count a click.",
    remedy: "Keep the address in a variable clickTag and open that, or use the network's exit API.",
    source: .cm360,
    needsProfile: true
  ) { context in
    let rules = context.rules(for: "missing-click-tag")
    guard !rules.isEmpty, !context.sources.isEmpty else { return nil }
    let names = ["clicktag", "exitapi", "enabler.exit"]
    let has = context.sources.contains { source in
      let text = source.text.lowercased()
      return names.contains { text.contains($0) }
    }
    guard !has else { return [] }
    guard context.inventory?.isCut != true else { return nil }
    var issue = CheckIssue("no file names a click tag or an exit API")
    issue.profiles = rules.map(\.profile)
    return [issue]
  }

  static let earlyPlayback = Check(
    "media-before-viewable", family: .behaviour, severity: .warning, title: "Plays before it is seen",
    why: "Containers load ads ahead of time: what plays then is over, or heard, before anybody sees it.",
    remedy:
      "Start films, sounds and motion when isViewable() is true, or at the first viewableChange or exposureChange.",
    source: .mraid3
  ) { context in
    // A plain HTML ad isn't told when it is seen.
    guard context.usesMRAID, let early = context.measurements?.beforeShown else { return nil }
    guard early.media > 0 else { return [] }
    let what = early.media == 1 ? "a film or sound plays" : "\(early.media) films or sounds play"
    return [CheckIssue("\(what) before the ad is shown")]
  }

  static let audibleStart = Check(
    "audible-start", family: .behaviour, severity: .error, title: "Sound unasked",
    why: "Networks and people refuse ads that make a noise before anybody asked for it.",
    remedy: "Begin muted, and unmute on a tap.",
    source: .dv360
  ) { context in
    guard let page = context.measurements?.pages.first, let document = page.document else { return nil }
    let heard = document.media.filter { $0.isPlaying && $0.isAudible }
    return heard.map {
      var issue = CheckIssue("\($0.selector) plays with sound and nobody asked for it", subject: $0.selector)
      issue.screenshot = page.screenshot
      return issue
    }
  }

  static let deadTap = Check(
    "dead-tap", family: .behaviour, severity: .warning, title: "Tap without effect",
    why: "What looks or is marked up as tappable does nothing, and a person takes the ad for broken.",
    remedy: "Give it something to do, or take listener, role and pointer away.",
    source: Citation(
      title: "WCAG 2.2: 3.2 Predictable", url: "https://www.w3.org/TR/WCAG22/#predictable", date: "2023-10-05")
  ) { $0.odd(.deadTap) { "\($0.action ?? "a tap"): nothing came of it" } }

  static let journeyChanged = Check(
    "state-not-restored", family: .behaviour, severity: .note, title: "Doesn't come back as it was",
    why: "Rotating, scrolling or leaving the app and coming back left the ad in another state.",
    remedy: "Lay out again on sizeChange and keep the state when viewableChange says false.",
    source: .mraid3
  ) { $0.odd(.journeyChanged) { $0.message } }

  static let unaskedExpansion = Check(
    "expand-without-gesture", family: .behaviour, severity: .error, title: "Grows unasked",
    why: "An ad that covers the app before anybody touched it is refused by networks and apps.",
    remedy: "Call expand() and resize() from a tap only.",
    source: .iab
  ) { context in
    guard context.usesMRAID else { return nil }
    let calls = context.events(.creative, "expand", "resize").filter {
      $0.event.detail["gesture"]?.bool == false && !$0.isEarly && $0.event.detail["problem"] == nil
        && !wasTouched(before: $0, context)
    }
    return context.issues(on: calls, subject: { $0.event.name }) { "\($0.event.name)() without anybody's tap" }
  }

  static let selfRemoval = Check(
    "self-removal", family: .behaviour, severity: .warning, title: "Takes itself away",
    why: "An ad that closes or unloads itself is seen for less time than was paid for, and some containers refuse it.",
    remedy: "Leave closing to the person and to the container.",
    source: .ironSource
  ) { context in
    guard context.usesMRAID else { return nil }
    let calls = context.events(.creative, "close", "unload").filter {
      $0.event.detail["gesture"]?.bool == false && $0.takesAway(of: context) && !wasTouched(before: $0, context)
    }
    return context.issues(on: calls, subject: { $0.event.name }) { "\($0.event.name)() without anybody's tap" }
  }

  /// Whether anything that happened opened, or tried to open, something outside.
  private static func leadsOut(_ context: CheckContext) -> Bool {
    !context.events(.creative, "open", "playVideo").isEmpty || !context.events(.host, "open").isEmpty
      || !context.events(.page, "popup").isEmpty
      || context.events(.page, "navigation").contains { $0.event.detail["allowed"]?.bool == false }
  }

  /// Whether a person had touched the ad earlier on the same way: what follows later may be their doing.
  private static func wasTouched(before met: CheckContext.Met, _ context: CheckContext) -> Bool {
    context.journeys.filter { $0.action == met.action }.contains { journey in
      (journey.action != nil && journey.events.contains(met.event))
        || (journey.events.contains(met.event)
          && journey.events.contains { $0.source == .input && $0.seq < met.event.seq })
    }
  }
}

extension CheckContext.Met {
  /// Whether it came while loading: that it was too early is another check's affair.
  fileprivate var isEarly: Bool { event.detail["state"]?.string == "loading" }

  /// Whether the ad goes by it: a banner's `close()` in its first state does nothing.
  fileprivate func takesAway(of context: CheckContext) -> Bool {
    let isBanner = context.record.placement?.kind == .banner
    return event.name == "unload" || (!isEarly && !(isBanner && event.detail["state"]?.string == "default"))
  }
}
