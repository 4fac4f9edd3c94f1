internal import Core
internal import Exploration
internal import RenderModel

/// Effects of a creative on a user, and the user's means to act on it.
enum BehaviourChecks {
  static let all: [Check] =
    [
      ClickthroughChecks.noClickthrough, ClickthroughChecks.notReached, ClickthroughChecks.deadClickthrough,
      clickWithoutOpen, ClickthroughChecks.clickTag, deadTap, ClickthroughChecks.coveredTarget, unaskedExpansion,
      selfRemoval, earlyPlayback, audibleStart, journeyChanged, StoreLinkCheck.otherSystemLink,
    ] + PlayableChecks.all

  static let clickWithoutOpen = Check(
    "click-without-open", family: .behaviour, severity: .warning, title: "Click that bypasses the store call",
    why: "Containers count and carry out only clicks by their own call, as mraid.open(); others may blank the ad.",
    remedy: "Call the function that the finding names instead of following a link or changing the location.",
    source: .mraid3, needs: .touched.union([.clickthrough])
  ) { context in
    let own = context.callsOfHost
    guard context.usesMRAID || !own.isEmpty, context.wasTouched else { return nil }
    let wanted = own.isEmpty ? "mraid.open()" : own.map(\.shown).joined(separator: " or ")
    let clicks = context.events(.page, .navigation, .popup).filter {
      $0.event.detail["gesture"]?.bool == true && $0.event.detail["allowed"]?.bool == false
    }
    return context.issues(on: clicks, subject: { $0.event.name }) {
      "a tap led to \($0.text("url")) without \(wanted)"
    }
  }

  static let earlyPlayback = Check(
    "media-before-viewable", family: .behaviour, severity: .warning, title: "Playback before the ad is visible",
    why: "Containers preload ads: media that plays then is over, or heard, before the user sees the ad.",
    remedy:
      "Start videos, sounds and motion when isViewable() is true, or at the first viewableChange or exposureChange.",
    source: .mraid3, needs: .measured.union([.earlyPlayback])
  ) { context in
    // A plain HTML ad isn't told when it is seen.
    guard context.usesMRAID, let early = context.measurements?.beforeShown else { return nil }
    guard early.media > 0 else { return [] }
    let what = early.media == 1 ? "a video or sound plays" : "\(early.media) videos or sounds play"
    return [CheckIssue("\(what) before the ad is shown")]
  }

  static let audibleStart = Check(
    "audible-start", family: .behaviour, severity: .error, title: "Sound that starts by itself",
    why: "Networks reject ads that play sound before the user asks for it, and users dislike them.",
    remedy: "Start muted, and unmute on a tap.",
    source: .dv360, needs: .read
  ) { context in
    guard let page = context.measurements?.pages.first, let document = page.document else { return nil }
    let heard = document.media.filter { $0.isPlaying && $0.isAudible }
    return heard.map {
      var issue = CheckIssue("\($0.selector) plays with sound without a user gesture", subject: $0.selector)
      issue.screenshot = page.screenshot
      return issue
    }
  }

  static let deadTap = Check(
    "dead-tap", family: .behaviour, severity: .warning, title: "Tap without effect",
    why: "An element looks or is marked up as tappable but does nothing, so the ad seems broken.",
    remedy: "Make the element respond to the tap, or remove its listener, role and pointer cursor.",
    source: Citation(
      title: "WCAG 2.2: 3.2 Predictable", url: "https://www.w3.org/TR/WCAG22/#predictable", date: "2023-10-05"),
    needs: .explored
  ) { $0.odd(.deadTap) { "\($0.action ?? "a tap") had no effect" } }

  static let journeyChanged = Check(
    "state-not-restored", family: .behaviour, severity: .note, title: "State not restored",
    why: "After rotating, scrolling, or leaving the app and coming back, the ad was in another state.",
    remedy: "Update the layout on sizeChange, and keep the state when viewableChange reports false.",
    source: .mraid3, needs: .explored
  ) { $0.odd(.journeyChanged) { $0.message } }

  static let unaskedExpansion = Check(
    "expand-without-gesture", family: .behaviour, severity: .error, title: "Expands without a user gesture",
    why: "Networks and apps reject an ad that covers the app before the user touches it.",
    remedy: "Call expand() and resize() only from a tap.",
    source: .iab, needs: .rendered
  ) { context in
    guard context.usesMRAID else { return nil }
    let calls = context.events(.creative, .expand, .resize).filter {
      $0.event.detail["gesture"]?.bool == false && !$0.isEarly && $0.event.detail["problem"] == nil
        && !wasTouched(before: $0, context)
    }
    return context.issues(on: calls, subject: { $0.event.name }) {
      "\($0.event.name)() was called without a user gesture"
    }
  }

  static let selfRemoval = Check(
    "self-removal", family: .behaviour, severity: .warning, title: "Ad closes or unloads itself",
    why: "An ad that closes or unloads itself is visible for less time than was paid for; some containers reject it.",
    remedy: "Leave closing to the user and the container.",
    source: .ironSource, needs: .rendered
  ) { context in
    guard context.usesMRAID else { return nil }
    let calls = context.events(.creative, .close, .unload).filter {
      $0.event.detail["gesture"]?.bool == false && $0.takesAway(of: context) && !wasTouched(before: $0, context)
    }
    return context.issues(on: calls, subject: { $0.event.name }) {
      "\($0.event.name)() was called without a user gesture"
    }
  }

  /// Indicates if the ad was touched earlier on the same way, so that later events may be the user's doing.
  private static func wasTouched(before met: CheckContext.Met, _ context: CheckContext) -> Bool {
    context.journeys.filter { $0.action == met.action }.contains { journey in
      (journey.action != nil && journey.events.contains(met.event))
        || (journey.events.contains(met.event)
          && journey.events.contains { $0.source == .input && $0.seq < met.event.seq })
    }
  }
}

extension CheckContext.Met {
  /// Indicates if the event came while loading, which another check judges.
  fileprivate var isEarly: Bool { event.detail["state"]?.string == "loading" }

  /// Indicates if the ad disappears by it; a banner's `close()` in its first state has no effect.
  fileprivate func takesAway(of context: CheckContext) -> Bool {
    let isBanner = context.record.placement?.kind == .banner
    return event.isNamed(.unload) || (!isEarly && !(isBanner && event.detail["state"]?.string == "default"))
  }
}
