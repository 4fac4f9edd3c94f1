package import Jobs
internal import MRAID

/// What a trial left behind.
package struct TrialResult: Sendable {
  package let trial: Trial
  package let record: RenderRecord
  package let events: [Event]
  package let observations: [Observation]

  package init(
    trial: Trial, record: RenderRecord, events: [Event], observations: [Observation]
  ) {
    self.trial = trial
    self.record = record
    self.events = events
    self.observations = observations
  }

  package var before: Observation? { observations.first { $0.moment == Trial.before } }
  package var away: Observation? { observations.first { $0.moment == Trial.away } }
  package var after: Observation? { observations.first { $0.moment == Trial.after || $0.moment == Trial.begin } }

  /// Whether the picture after the act tells of it; nil when one is missing or shows motion.
  ///
  /// What is tapped looks otherwise by itself: pressed, pointed at, focused. That alone is nothing, unless it draws.
  var looksTheSame: Bool? {
    guard let before, let after, before.rest == .still, after.rest == .still else { return nil }
    guard let changed = after.changed else { return true }
    guard let target = trial.act?.target, !target.draws else { return false }
    return target.frame.contains(changed, within: 6)
  }

  /// Whether nothing is known to have moved: alike pictures, or ones that can't be compared for CSS animations alone.
  var stoodStill: Bool {
    if let looksTheSame { return looksTheSame }
    return before.map { $0.rest != .moving } ?? false && after.map { $0.rest != .moving } ?? false
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
