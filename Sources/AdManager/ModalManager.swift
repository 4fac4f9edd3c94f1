package import Device

/// Shows modal states last in, first out, and reports each change to its listener; their content is unknown to it.
///
/// When a method returns, the change has been made and the listener has been called. Each method acts on the top unless
/// it is given a place, counted from the bottom. A completion runs after that.
package final class ModalManager {
  /// Modal states that are shown now.
  package private(set) var stack = ModalStack()
  private let presenter: any ModalPresenter
  private let listener: any ModalManagerListener

  /// Creates a manager with an empty stack; `listener` gets every transition.
  package init(presenter: any ModalPresenter, listener: any ModalManagerListener) {
    self.presenter = presenter
    self.listener = listener
  }

  /// Shows `state` on top; `completion` runs when its content is laid out.
  package func push(_ state: ModalState, at place: Int? = nil, completion: @escaping () -> Void = {}) {
    apply(stack.push(state, at: place), completion)
  }

  /// Replaces the top state with `state` and shows it.
  package func reset(_ state: ModalState, at place: Int? = nil, completion: @escaping () -> Void = {}) {
    apply(stack.reset(state, at: place), completion)
  }

  /// Removes the top state; false if there was none, and then `completion` runs at once.
  @discardableResult package func popState(at place: Int? = nil, completion: @escaping () -> Void = {}) -> Bool {
    let transition = stack.pop(at: place)
    apply(transition, completion)
    return transition != nil
  }

  /// Removes all states.
  package func clearStates(completion: @escaping () -> Void = {}) {
    apply(stack.clear(), completion)
  }

  private func apply(_ transition: ModalTransition?, _ completion: @escaping () -> Void) {
    guard let transition else { return completion() }
    presenter.present(transition)
    listener.modalManager(didApply: transition)
    presenter.layOut(completion: completion)
  }
}

/// Listener that gets every modal transition, in order.
package protocol ModalManagerListener: AnyObject {
  /// Reports a change that has been made on screen; views that changed size may still be in layout.
  func modalManager(didApply transition: ModalTransition)
}

/// Shows transitions on the screen.
package protocol ModalPresenter: AnyObject {
  /// Changes the screen before it returns.
  func present(_ transition: ModalTransition)
  /// Runs `completion` once, after views that changed size are laid out.
  func layOut(completion: @escaping () -> Void)
}

/// Modal states on screen, topmost last; a pure value whose changes are returned as transitions.
///
/// By default a change is made to the top: last in, first out. A place counts from the bottom and allows the ad to
/// change beneath a browser that the user is reading.
package struct ModalStack: Hashable, Sendable {
  /// States from bottom to top.
  package private(set) var states: [ModalState] = []

  /// Creates an empty stack.
  package init() {}

  /// Topmost state; nil if nothing modal is shown.
  package var top: ModalState? { states.last }

  /// Shows `state` on top, or at a place: above the states below that place and under the others.
  package mutating func push(_ state: ModalState, at place: Int? = nil) -> ModalTransition {
    states.insert(state, at: min(place ?? states.count, states.count))
    return transition(.push)
  }

  /// Replaces the top state or the one at a place; pushes the state if there is none.
  package mutating func reset(_ state: ModalState, at place: Int? = nil) -> ModalTransition {
    let place = place ?? states.count - 1
    guard states.indices.contains(place) else { return push(state) }
    let removed = states[place]
    states[place] = state
    return transition(.reset, removed: [removed])
  }

  /// Removes the top state, which shows the one below, or the state at a place; nil if there is none.
  package mutating func pop(at place: Int? = nil) -> ModalTransition? {
    let place = place ?? states.count - 1
    guard states.indices.contains(place) else { return nil }
    let removed = states.remove(at: place)
    return transition(.pop, removed: [removed])
  }

  /// Removes all states; nil if there are none.
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

/// One change of the stack, as it has to be shown on the screen.
package struct ModalTransition: Hashable, Sendable {
  /// Method of the manager that caused the change.
  package enum Operation: String, Sendable {
    case push, reset, pop, clear
  }

  /// Kind of change made to the stack.
  package let operation: Operation
  /// States removed from the stack, topmost first.
  package let removed: [ModalState]
  /// The whole stack after the change, newest last.
  package let states: [ModalState]

  /// Topmost state now; nil if the app itself is on top.
  package var top: ModalState? { states.last }
}
