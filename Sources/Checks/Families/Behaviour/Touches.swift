internal import Exploration
internal import Jobs
internal import MRAID

extension Check {
  static let deadTap = Check(
    "dead-tap", family: .behaviour, severity: .warning, title: "Tap without effect",
    why: "What looks or is marked up as tappable does nothing, and a person takes the ad for broken.",
    remedy: "Give it something to do, or take listener, role and pointer away.",
    source: Citation(
      title: "WCAG 2.2: 3.2 Predictable", url: "https://www.w3.org/TR/WCAG22/#predictable", date: "2023-10-05")
  ) { $0.odd(.deadTap) { "\($0.action ?? "a tap"): nothing came of it" } }

  static let journeyChanged = Check(
    "lost-on-return", family: .behaviour, severity: .note, title: "Doesn't come back as it was",
    why: "Rotating, scrolling or leaving the app and coming back left the ad in another state.",
    remedy: "Lay out again on sizeChange and keep the state when viewableChange says false.",
    source: .mraid3
  ) { $0.odd(.journeyChanged) { $0.message } }

  static let unaskedExpansion = Check(
    "unasked-expansion", family: .behaviour, severity: .error, title: "Grows unasked",
    why: "An ad that covers the app before anybody touched it is refused by networks and apps.",
    remedy: "Call expand() and resize() from a tap only.",
    source: .iab
  ) { evidence in
    guard evidence.usesMRAID else { return nil }
    let calls = evidence.events(.creative, "expand", "resize").filter {
      $0.event.detail["gesture"]?.bool == false && !$0.isEarly && $0.event.detail["problem"] == nil
        && !evidence.wasTouched(before: $0)
    }
    return evidence.remarks(on: calls, subject: { $0.event.name }) { "\($0.event.name)() without anybody's tap" }
  }

  static let selfRemoval = Check(
    "self-removal", family: .behaviour, severity: .warning, title: "Takes itself away",
    why: "An ad that closes or unloads itself is seen for less time than was paid for, and some containers refuse it.",
    remedy: "Leave closing to the person and to the container.",
    source: .ironSource
  ) { evidence in
    guard evidence.usesMRAID else { return nil }
    let calls = evidence.events(.creative, "close", "unload").filter {
      $0.event.detail["gesture"]?.bool == false && $0.takesAway(of: evidence) && !evidence.wasTouched(before: $0)
    }
    return evidence.remarks(on: calls, subject: { $0.event.name }) { "\($0.event.name)() without anybody's tap" }
  }
}

extension Evidence {
  /// A remark for each oddity of a kind; nil when nobody explored.
  func odd(_ code: Oddity.Code, message: (ExploredStates.Odd) -> String) -> [Remark]? {
    exploration?.oddities.filter { $0.code == code }.map { odd in
      Remark(message(odd), subject: odd.action ?? odd.message)
    }
  }

  /// Whether a person had touched the ad earlier on the same way: what follows later may be their doing.
  func wasTouched(before met: Met) -> Bool {
    journeys.filter { $0.action == met.action }.contains { journey in
      (journey.action != nil && journey.events.contains(met.event))
        || (journey.events.contains(met.event)
          && journey.events.contains { $0.source == .input && $0.seq < met.event.seq })
    }
  }
}

extension Evidence.Met {
  /// Whether it came while loading: that it was too early is another check's affair.
  fileprivate var isEarly: Bool { event.detail["state"]?.string == "loading" }

  /// Whether the ad goes by it: a banner's `close()` in its first state does nothing.
  fileprivate func takesAway(of evidence: Evidence) -> Bool {
    let isBanner = evidence.record.placement?.kind == .banner
    return event.name == "unload" || (!isEarly && !(isBanner && event.detail["state"]?.string == "default"))
  }
}
