package import Jobs

/// What a trial left behind.
package struct TrialResult: Sendable {
  package let trial: Trial
  package let record: RenderRecord
  package let events: [Event]
  package let observations: [Observation]
  /// Whether the pictures before and after the act are alike; nil when one is missing or shows motion.
  package let looksTheSame: Bool?

  package init(
    trial: Trial, record: RenderRecord, events: [Event], observations: [Observation], looksTheSame: Bool? = nil
  ) {
    self.trial = trial
    self.record = record
    self.events = events
    self.observations = observations
    self.looksTheSame = looksTheSame
  }

  package var before: Observation? { observations.first { $0.moment == Trial.before } }
  package var away: Observation? { observations.first { $0.moment == Trial.away } }
  package var after: Observation? { observations.first { $0.moment == Trial.after || $0.moment == Trial.start } }

  /// Whether nothing is known to have moved: alike pictures, or ones that can't be compared for CSS animations alone.
  var stoodStill: Bool {
    if let looksTheSame { return looksTheSame }
    return before.map { $0.rest != .moving } ?? false && after.map { $0.rest != .moving } ?? false
  }

  /// What was logged once the way to the state was behind; everything of the first trial.
  var news: ArraySlice<Event> {
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
