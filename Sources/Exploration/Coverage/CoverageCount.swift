internal import Jobs
internal import MRAID

/// How often each call and change of state was reached; ways that were only replayed aren't counted again.
struct CoverageCount: Sendable {
  private(set) var calls: [String: Int] = [:]
  private(set) var transitions: [StateChange: Int] = [:]

  mutating func add(_ result: TrialResult) {
    for event in result.news where event.source == .creative && event.name != "vpaid" {
      calls[event.name, default: 0] += 1
    }
    for transition in result.newTransitions {
      transitions[StateChange(from: transition.from, to: transition.to), default: 0] += 1
    }
  }
}
