/// Shows modal states last in, first out, and tells who listens; it knows nothing of their content.
package final class ModalManager {
  package private(set) var stack = ModalStack()
  private let presenter: any ModalPresenter
  private var listeners: [any ModalManagerListener] = []

  package init(presenter: any ModalPresenter) {
    self.presenter = presenter
  }

  /// Adds someone to be told of every transition, after the screen has changed.
  package func add(_ listener: any ModalManagerListener) { listeners.append(listener) }

  /// Shows `state` on top; `completion` runs when its content is laid out.
  package func push(_ state: ModalState, completion: @escaping () -> Void = {}) {
    apply(stack.push(state), completion)
  }

  /// Replaces the top by `state`.
  package func reset(_ state: ModalState, completion: @escaping () -> Void = {}) {
    apply(stack.reset(state), completion)
  }

  /// Removes the top; it has happened when this returns. False when nothing was there.
  @discardableResult package func popState(completion: @escaping () -> Void = {}) -> Bool {
    guard let transition = stack.pop() else { return false }
    apply(transition, completion)
    return true
  }

  /// Removes everything.
  package func clearStates(completion: @escaping () -> Void = {}) {
    if let transition = stack.clear() { apply(transition, completion) } else { completion() }
  }

  private func apply(_ transition: ModalTransition, _ completion: @escaping () -> Void) {
    presenter.present(transition, completion: completion)
    for listener in listeners { listener.modalManager(didApply: transition) }
  }
}

/// Moves layers as transitions say.
package protocol ModalPresenter: AnyObject {
  /// Changes the screen before it returns; `completion` runs once views that changed size are laid out.
  func present(_ transition: ModalTransition, completion: @escaping () -> Void)
}

/// Hears of every modal transition.
package protocol ModalManagerListener: AnyObject {
  func modalManager(didApply transition: ModalTransition)
}
