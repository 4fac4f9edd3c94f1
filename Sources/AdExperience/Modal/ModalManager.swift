/// Shows modal states last in, first out, and tells who listens; it knows nothing of their content.
///
/// When a method returns, the change has happened. Each takes the top unless it is given a place, counted from the
/// bottom. Listeners hear of a transition before its completion runs, and of transitions in the order they happened.
package final class ModalManager {
  /// What is shown now.
  package private(set) var stack = ModalStack()
  private let presenter: any ModalPresenter
  private var listeners: [any ModalManagerListener] = []
  /// Transitions that listeners haven't all heard of, oldest first.
  private var untold: [ModalTransition] = []
  private var isTelling = false
  /// Completions that came before everybody was told.
  private var completed: [() -> Void] = []

  /// A manager with nothing on its stack.
  package init(presenter: any ModalPresenter) {
    self.presenter = presenter
  }

  /// Adds someone to be told of every transition, after the screen has changed.
  package func add(_ listener: any ModalManagerListener) { listeners.append(listener) }

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
    untold.append(transition)
    presenter.present(transition) { [self] in
      completed.append(completion)
      runCompleted()
    }
    tell()
  }

  private func tell() {
    guard !isTelling else { return }
    isTelling = true
    while !untold.isEmpty {
      let transition = untold.removeFirst()
      for listener in listeners { listener.modalManager(didApply: transition) }
    }
    isTelling = false
    runCompleted()
  }

  private func runCompleted() {
    while !isTelling, untold.isEmpty, !completed.isEmpty { completed.removeFirst()() }
  }
}
