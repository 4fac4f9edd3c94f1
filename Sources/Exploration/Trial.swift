internal import Core
package import RenderModel

/// One fresh load of the creative that goes a known way and tries one thing more.
package struct Trial: Sendable {
  /// From 0, which only looks at what is there; the order in which results are taken in.
  package let number: Int
  /// The state it starts from; nil for the first trial.
  package let from: Int?
  /// What it tries; nil for the first trial.
  package let act: UserAction?
  /// The way to the state it starts from.
  let path: [Scenario.Action]
  /// What that state looked like when it was found.
  let start: StateSignature?

  /// What looks at the screen are called: the first trial's only one, and the three that others have.
  package static let begin = "start", before = "before", away = "away", after = "after"

  /// The scenario it is rendered by.
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
  /// As steps of a scenario, a line each.
  var steps: [Scenario.Step] { enumerated().map { Scenario.Step(line: $0 + 1, action: $1) } }
}

/// What a trial left behind.
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

  /// Whether the picture after the act tells of it; nil when one is missing or shows motion.
  ///
  /// What is tapped looks otherwise by itself: pressed, pointed at, focused. That alone is nothing, unless it draws.
  var looksTheSame: Bool? {
    guard let before, let after, before.rest == .stable, after.rest == .stable else { return nil }
    guard let changed = after.changed else { return true }
    guard let target = trial.act?.target, !target.draws else { return false }
    return target.frame.contains(changed, within: 6)
  }

  /// Whether nothing is known to have moved: alike pictures, or ones that can't be compared for CSS animations alone.
  var stoodStill: Bool {
    if let looksTheSame { return looksTheSame }
    return before.map { $0.rest != .unstable } ?? false && after.map { $0.rest != .unstable } ?? false
  }

  /// What was logged once the way to the state was behind; everything of the first trial.
  package var news: ArraySlice<Event> {
    guard trial.act != nil else { return events[...] }
    guard let before else { return [] }
    return events.dropFirst(before.events)
  }

  /// The changes of state that are news.
  var newTransitions: ArraySlice<RenderRecord.Transition> {
    guard trial.act != nil else { return record.transitions[...] }
    return before.map { record.transitions.dropFirst($0.transitions) } ?? []
  }
}

extension Rect {
  /// Whether another lies inside, or outside by no more than `slack`: outlines go beyond their element.
  fileprivate func contains(_ other: Rect, within slack: Double) -> Bool {
    Rect(x: x - slack, y: y - slack, width: width + 2 * slack, height: height + 2 * slack).contains(other)
  }
}

/// What came of an act, in words; the same for the same log.
struct Effects {
  let words: [String]
  /// Whether anything at all could be noticed, by the ad, the host or a person.
  var isNothing: Bool { words.isEmpty }

  init(_ result: TrialResult) {
    var words: [String] = []
    for event in result.news where event.isEffect {
      if let word = Self.word(for: event), !words.contains(word) { words.append(word) }
    }
    if let before = result.before, let after = result.after {
      if !before.hasSamePage(as: after) { words.append("the page changed") }
      if words.isEmpty, result.looksTheSame == false { words.append("the picture changed") }
    }
    self.words = words
  }

  /// Calls by their name, what leads out by its kind; the container's own consequences of those say nothing new.
  private static func word(for event: Event) -> String? {
    switch (event.source, event.name) {
    case (.creative, let name): "\(name)()"
    case (.page, let name): name
    case (.mraid, "error"), (.mraid, "ignored"), (.mraid, "premature"): event.name
    case (.mraid, let name): name
    case (.modal, let name): name
    case (.host, let name), (.ad, let name), (.vast, let name), (.simid, let name), (.feed, let name):
      name
    case (.input, _), (.network, _), (.omid, _): nil
    }
  }
}
