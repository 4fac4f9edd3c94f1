/// The modal states on screen, topmost last; a pure value whose changes come back as transitions.
///
/// Left alone, every change is made to the top: last in, first out. A place counts from the bottom and lets the ad
/// change beneath a browser that a person is reading.
package struct ModalStack: Hashable, Sendable {
  /// Bottom to top.
  package private(set) var states: [ModalState] = []

  /// Nothing modal is shown.
  package init() {}

  /// What is on top, nil when nothing modal is shown.
  package var top: ModalState? { states.last }

  /// Shows `state` above whatever is on screen, or at a place, under what is there and above.
  package mutating func push(_ state: ModalState, at place: Int? = nil) -> ModalTransition {
    states.insert(state, at: min(place ?? states.count, states.count))
    return transition(.push)
  }

  /// Replaces the top, or what is at a place; where nothing is, the same as a push.
  package mutating func reset(_ state: ModalState, at place: Int? = nil) -> ModalTransition {
    let place = place ?? states.count - 1
    guard states.indices.contains(place) else { return push(state) }
    let removed = states[place]
    states[place] = state
    return transition(.reset, removed: [removed])
  }

  /// Removes the top and so shows the one below, or takes out what is at a place; nil when nothing is there.
  package mutating func pop(at place: Int? = nil) -> ModalTransition? {
    let place = place ?? states.count - 1
    guard states.indices.contains(place) else { return nil }
    let removed = states.remove(at: place)
    return transition(.pop, removed: [removed])
  }

  /// Removes everything; nil when there is nothing to remove.
  package mutating func clear() -> ModalTransition? {
    guard !states.isEmpty else { return nil }
    let removed = Array(states.reversed())
    states = []
    return transition(.clear, removed: removed)
  }

  private func transition(_ operation: ModalTransition.Operation, removed: [ModalState] = []) -> ModalTransition {
    ModalTransition(operation: operation, removed: removed, states: states)
  }
}
