/// The modal states on screen, newest last; a pure value whose changes come back as transitions.
package struct ModalStack: Hashable, Sendable {
  package private(set) var states: [ModalState] = []

  package init() {}

  /// What is on top, nil when nothing modal is shown.
  package var top: ModalState? { states.last }

  /// Shows `state` above whatever is on screen.
  package mutating func push(_ state: ModalState) -> ModalTransition {
    let below = top
    states.append(state)
    return ModalTransition(operation: .push, removed: [], below: below, top: state, states: states)
  }

  /// Replaces the top by `state`; on an empty stack the same as a push.
  package mutating func reset(_ state: ModalState) -> ModalTransition {
    let removed = states.popLast()
    states.append(state)
    return ModalTransition(
      operation: .reset, removed: removed.map { [$0] } ?? [], below: removed, top: state, states: states)
  }

  /// Removes the top and shows the one below, or closes; nil when there is nothing to remove.
  package mutating func pop() -> ModalTransition? {
    guard let removed = states.popLast() else { return nil }
    return ModalTransition(operation: .pop, removed: [removed], below: removed, top: top, states: states)
  }

  /// Removes everything; nil when there is nothing to remove.
  package mutating func clear() -> ModalTransition? {
    guard !states.isEmpty else { return nil }
    let removed = Array(states.reversed())
    states = []
    return ModalTransition(operation: .clear, removed: removed, below: removed.first, top: nil, states: [])
  }
}

/// What one change of the stack means for the screen.
package struct ModalTransition: Hashable, Sendable {
  package enum Operation: String, Sendable {
    case push, reset, pop, clear
  }

  package let operation: Operation
  /// What left the stack, topmost first.
  package let removed: [ModalState]
  /// What was on top before.
  package let below: ModalState?
  /// What is on top now, nil when the app is.
  package let top: ModalState?
  /// The whole stack now, newest last.
  package let states: [ModalState]

  /// Whether the last modal state went away.
  package var closesAll: Bool { top == nil && !removed.isEmpty }
}
