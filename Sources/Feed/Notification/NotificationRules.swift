internal import Core

/// When the notification comes up.
package struct NotificationRules: Hashable, Sendable {
  /// Kinds of feeds that may have it.
  package var kinds: [String]
  /// Days after which one that was scrolled past comes again.
  package var days: Double
  /// Launches after which it does, whichever is sooner.
  package var launches: Int

  /// The founding rules: again after five days or twenty launches.
  package init(kinds: [String], days: Double = 5, launches: Int = 20) {
    self.kinds = kinds
    self.days = days
    self.launches = launches
  }

  /// Whether it is due in this situation, and why.
  package func verdict(in situation: FeedSituation) -> (isDue: Bool, reason: String) {
    let history = situation.history
    guard kinds.contains(situation.kind) else {
      return (false, "a feed of the kind \(situation.kind) has none; \(kinds.joined(separator: ", ")) have")
    }
    if history.isRegistered { return (false, "the person has registered") }
    guard let last = history.encounter else { return (true, "the person hasn't met it yet") }
    let isSameLaunch = last.launch == history.launches
    switch last.outcome {
    case .ignored where isSameLaunch: return (true, "it came up in this launch")
    case .ignored: return afterIgnoring(last, history)
    case .dismissed:
      let isNew = last.version != history.version
      return (
        isNew, isNew ? "dismissed in \(last.version), and this is \(history.version)" : "dismissed in this version"
      )
    case .followed:
      return (
        !isSameLaunch, isSameLaunch ? "taken up in this launch" : "taken up without registering, a launch ago or more"
      )
    }
  }

  private func afterIgnoring(_ last: Encounter, _ history: FeedHistory) -> (Bool, String) {
    let days = history.day - last.day
    let starts = history.launches - last.launch
    if days >= self.days { return (true, "scrolled past \(days.plain) days ago, which is \(self.days.plain) or more") }
    if starts >= launches { return (true, "scrolled past \(starts) launches ago, which is \(launches) or more") }
    return (
      false, "scrolled past \(days.plain) days and \(starts) launches ago; due after \(self.days.plain) or \(launches)"
    )
  }
}
