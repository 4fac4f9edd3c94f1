/// Runs actions one after the other, so that what an action leads to never overtakes what was asked for before it.
final class ActionQueue {
  private var waiting: [() -> Void] = []
  private var isBusy = false

  /// Runs the action after everything added before; at once when nothing is under way.
  func add(_ action: @escaping () -> Void) {
    waiting.append(action)
    hold {}
  }

  /// Runs `body` at once; whatever is added meanwhile waits for its end.
  func hold(_ body: () -> Void) {
    guard !isBusy else { return body() }
    isBusy = true
    body()
    while !waiting.isEmpty { waiting.removeFirst()() }
    isBusy = false
  }
}
