package import AdManager
package import Engine

/// Assignment of a feed's creatives in turn to its places, also in rotations.
package struct CreativeTurns: Sendable {
  private var turns = 0
  /// Turn of each place with a request; a second attempt uses the same creative.
  private var chosen: [AdUnit: Int] = [:]

  package init() {}

  /// Index of the creative, of `count`, that a place gets; a creative that fails isn't replaced by another.
  package mutating func next(for unit: AdUnit, isFirstTry: Bool, of count: Int) -> Int {
    if isFirstTry || chosen[unit] == nil {
      chosen[unit] = turns
      turns += 1
    }
    return (chosen[unit] ?? 0) % count
  }

  /// Forgets the places, since there will be others; the turns continue.
  package mutating func forgetUnits() { chosen = [:] }
}

/// Lets ads load one after the other, and none while the feed scrolls, since their order would otherwise be random.
@EngineActor package final class AdLoadQueue {
  private var waiting: [(_ done: @escaping () -> Void) -> Void] = []
  private var isBusy = false
  private var isHeld = false

  package init() {}

  /// Indicates that no ad loads or waits.
  package var isEmpty: Bool { waiting.isEmpty && !isBusy }

  /// Runs `load` in its turn; the next turn begins when `done` is called.
  package func add(_ load: @escaping (_ done: @escaping () -> Void) -> Void) {
    waiting.append(load)
    continueLoading()
  }

  /// Lets no further load begin.
  package func hold() { isHeld = true }

  /// Continues after `hold`.
  package func release() {
    isHeld = false
    continueLoading()
  }

  private func continueLoading() {
    guard !isBusy, !isHeld, !waiting.isEmpty else { return }
    isBusy = true
    var isDone = false
    let load = waiting.removeFirst()
    load { [weak self] in
      guard let self, !isDone else { return }
      isDone = true
      isBusy = false
      continueLoading()
    }
  }
}
