/// What one change of the stack means for the screen.
package struct ModalTransition: Hashable, Sendable {
  /// The manager's method that led to it.
  package enum Operation: String, Sendable {
    case push, reset, pop, clear
  }

  /// What was done to the stack.
  package let operation: Operation
  /// What left the stack, topmost first.
  package let removed: [ModalState]
  /// The whole stack now, newest last.
  package let states: [ModalState]

  /// What is on top now, nil when the app is.
  package var top: ModalState? { states.last }
}
