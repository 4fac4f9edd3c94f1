/// Shows modal states last in, first out, and tells who listens; it knows nothing of their content.
///
/// When a method returns, the change has happened, and the listener has heard of it. Each takes the top unless it is
/// given a place, counted from the bottom. A completion runs after that.
package final class ModalManager {
  /// What is shown now.
  package private(set) var stack = ModalStack()
  private let presenter: any ModalPresenter
  private let listener: any ModalManagerListener

  /// A manager with nothing on its stack; `listener` is told of every transition.
  package init(presenter: any ModalPresenter, listener: any ModalManagerListener) {
    self.presenter = presenter
    self.listener = listener
  }

  /// Shows `state` on top; `completion` runs when its content is laid out.
  package func push(_ state: ModalState, at place: Int? = nil, completion: @escaping () -> Void = {}) {
    apply(stack.push(state, at: place), completion)
  }

  /// Replaces the top by `state` and shows that.
  package func reset(_ state: ModalState, at place: Int? = nil, completion: @escaping () -> Void = {}) {
    apply(stack.reset(state, at: place), completion)
  }

  /// Removes the top; false when nothing was there, and then `completion` has nothing to wait for.
  @discardableResult package func popState(at place: Int? = nil, completion: @escaping () -> Void = {}) -> Bool {
    let transition = stack.pop(at: place)
    apply(transition, completion)
    return transition != nil
  }

  /// Removes everything.
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

/// Hears of every modal transition, in order.
package protocol ModalManagerListener: AnyObject {
  /// The screen has changed so; views that changed size may still be laid out.
  func modalManager(didApply transition: ModalTransition)
}

/// Moves layers as transitions say.
package protocol ModalPresenter: AnyObject {
  /// Changes the screen before it returns.
  func present(_ transition: ModalTransition)
  /// Runs `completion` once, when views that changed size are laid out.
  func layOut(completion: @escaping () -> Void)
}

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
