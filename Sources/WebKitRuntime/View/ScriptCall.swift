internal import Synchronization

/// A script call that someone waits for; it ends once, by the engine or by whoever gives it up first.
final class ScriptCall: Sendable {
  typealias Outcome = Result<String, ScriptError>
  typealias Waiter = Wakeup<Outcome>

  private enum State {
    case new
    case waiting(Waiter)
    case ended(Outcome)
  }

  private let state = Mutex(State.new)
  /// When it was made.
  let began = ContinuousClock.now

  /// Resumes `waiter` at the call's end; false when that was before it began.
  func wait(_ waiter: Waiter) -> Bool {
    let early: Outcome? = state.withLock { state in
      if case .ended(let outcome) = state { return outcome }
      state = .waiting(waiter)
      return nil
    }
    if let early { waiter.resume(returning: early) }
    return early == nil
  }

  /// Ends the call; nothing happens when it has ended.
  func end(_ outcome: Outcome) {
    let waiter: Waiter? = state.withLock { state in
      let before = state
      if case .ended = before { return nil }
      state = .ended(outcome)
      if case .waiting(let waiter) = before { return waiter }
      return nil
    }
    waiter?.resume(returning: outcome)
  }
}

extension ScriptCall: Hashable {
  static func == (one: ScriptCall, other: ScriptCall) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
