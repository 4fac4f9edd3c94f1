internal import WebKitRuntime

/// Has ads load one after the other, and none while the feed scrolls: which of two came first would be chance.
@WebKitActor final class LoadLine {
  private var waiting: [(_ done: @escaping () -> Void) -> Void] = []
  private var isBusy = false
  private var isHeld = false

  /// Whether none loads or waits.
  var isEmpty: Bool { waiting.isEmpty && !isBusy }

  /// Runs `load` in its turn; the next has its turn when `done` is called.
  func add(_ load: @escaping (_ done: @escaping () -> Void) -> Void) {
    waiting.append(load)
    goOn()
  }

  /// Lets no other begin.
  func hold() { isHeld = true }

  /// Goes on where it was held.
  func release() {
    isHeld = false
    goOn()
  }

  private func goOn() {
    guard !isBusy, !isHeld, !waiting.isEmpty else { return }
    isBusy = true
    var isDone = false
    let load = waiting.removeFirst()
    load { [weak self] in
      guard let self, !isDone else { return }
      isDone = true
      isBusy = false
      goOn()
    }
  }
}
