internal import Core
package import RenderModel

/// One fresh load of the creative that repeats a known way and then tries one more act.
package struct Trial: Sendable {
  /// Number from 0, the trial without an act; results are processed in this order.
  package let number: Int
  /// Number of the state it starts from; nil for the first trial.
  package let from: Int?
  /// Act that it tries; nil for the first trial.
  package let act: UserAction?
  /// Steps to the state it starts from.
  let path: [Scenario.Action]
  /// Signature of that state when it was found; nil for the first trial.
  let start: StateSignature?
  /// Number of times that the way to the state ends with the same act already, each of which changed only numbers.
  var repeats = 0

  /// Indicates that it plays a game.
  package var plays: Bool { act?.kind == .play }

  /// Names of the snapshots: `begin` is the only one of the first trial, the others have the other three.
  package static let begin = "start", before = "before", away = "away", after = "after"

  /// Returns the scenario that renders the trial.
  package func scenario(placement: Placement?) -> Scenario {
    var actions = path
    if let act {
      // It may have been found long after the load, and what is to be tapped may come by and by.
      if let start { actions.append(.reach(start)) }
      actions += [.observe(Self.before)] + act.going
      // Nothing is drawn in the background, and so there is nothing to picture.
      if !act.returning.isEmpty, act.kind != .background { actions.append(.observe(Self.away)) }
      actions += act.returning
    }
    actions.append(.observe(act == nil ? Self.begin : Self.after))
    return Scenario(source: "exploring", placement: placement, steps: actions.steps)
  }
}

extension [Scenario.Action] {
  /// The actions as steps of a scenario, one line each.
  var steps: [Scenario.Step] { enumerated().map { Scenario.Step(line: $0 + 1, action: $1) } }
}

/// Output of a trial.
package struct TrialResult: Sendable {
  package let trial: Trial
  package let record: RenderRecord
  package let events: [Event]
  package let observations: [PageSnapshot]

  package init(
    trial: Trial, record: RenderRecord, events: [Event], observations: [PageSnapshot]
  ) {
    self.trial = trial
    self.record = record
    self.events = events
    self.observations = observations
  }

  package var before: PageSnapshot? { observations.first { $0.moment == Trial.before } }
  package var away: PageSnapshot? { observations.first { $0.moment == Trial.away } }
  package var after: PageSnapshot? { observations.first { $0.moment == Trial.after || $0.moment == Trial.begin } }

  /// Indicates if the screenshots show no effect of the act; nil if one is missing or shows motion.
  ///
  /// A tapped element changes by itself: pressed, hovered, focused. A change within its frame doesn't count, unless the
  /// element draws (canvas, video, frame).
  var looksTheSame: Bool? {
    guard let before, let after, before.rest == .stable, after.rest == .stable else { return nil }
    guard let changed = after.changed else { return true }
    guard let target = trial.act?.target, !target.draws else { return false }
    return target.frame.contains(changed, within: 6)
  }

  /// Indicates if no motion is known: the screenshots are alike, or can't be compared only because of CSS animations.
  var stoodStill: Bool {
    if let looksTheSame { return looksTheSame }
    return before.map { $0.rest != .unstable } ?? false && after.map { $0.rest != .unstable } ?? false
  }

  /// Events logged after the way to the state was complete; all events of the first trial.
  package var news: ArraySlice<Event> {
    guard trial.act != nil else { return events[...] }
    guard let before else { return [] }
    return events.dropFirst(before.events)
  }

  /// Changes of state after the way to the state was complete; all changes of the first trial.
  var newTransitions: ArraySlice<RenderRecord.Transition> {
    guard trial.act != nil else { return record.transitions[...] }
    return before.map { record.transitions.dropFirst($0.transitions) } ?? []
  }
}

extension Rect {
  /// Indicates if another rectangle lies inside, or outside by at most `slack`: outlines go beyond their element.
  fileprivate func contains(_ other: Rect, within slack: Double) -> Bool {
    Rect(x: x - slack, y: y - slack, width: width + 2 * slack, height: height + 2 * slack).contains(other)
  }
}

extension Event {
  /// Indicates if the ad called for the store or its landing page.
  var isStoreCall: Bool {
    source == .playable && isNamed(.storeOpened) || source == .creative && isNamed(.open)
  }
}

/// Effects of an act in words; the same for the same log.
struct Effects {
  let words: [String]
  /// Indicates if there was no effect that the ad, the host or a user could notice.
  var isNothing: Bool { words.isEmpty }

  init(_ result: TrialResult) {
    var words = result.after?.game.map { [$0.words] } ?? []
    for event in result.news where event.isEffect {
      if let word = Self.word(for: event), !words.contains(word) { words.append(word) }
    }
    if let before = result.before, let after = result.after {
      if !before.hasSamePage(as: after) { words.append("the page changed") }
      if words.isEmpty, result.looksTheSame == false { words.append("the picture changed") }
    }
    self.words = words
  }

  /// Returns a call by its name, an exit by its kind; nil for events that add nothing, such as input and network.
  private static func word(for event: Event) -> String? {
    switch event.source {
    case .creative: "\(event.name)()"
    case .playable: event.detail["call"]?.string.map { event.isNamed(.sent) ? "\($0) sent" : "\($0)()" }
    case .page, .mraid, .modal, .host, .ad, .vast, .simid, .feed: event.name
    case .input, .network, .omid: nil
    }
  }
}

extension PlayedGame {
  /// Furthest point that was reached, and the number of moves.
  fileprivate var words: String {
    let reached =
      switch goal {
      case .nothing: "no touch changed the picture"
      case .touch: "touches changed the picture"
      case .progress: "touches led to \(scenes) pictures that are unlike each other"
      case .end: "the game ended"
      case .store: "the store was asked for"
      }
    let cut = isCut ? "; the render's time was nearly over" : ""
    return "\(reached) (\(moves.count) \(moves.count == 1 ? "move" : "moves")\(cut))"
  }
}
