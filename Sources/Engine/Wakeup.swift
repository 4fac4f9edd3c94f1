internal import Synchronization

/// Wakes a task that waits on the engine's thread.
///
/// A task is resumed by way of another thread, and meanwhile this thread looks as if nothing were left to do. So each
/// task is counted until it is back.
package struct Wakeup<Value: Sendable>: Sendable {
  fileprivate let continuation: CheckedContinuation<Value, Never>

  package func resume(returning value: Value) {
    Wakeups.count.add(1, ordering: .relaxed)
    continuation.resume(returning: value)
  }
}

extension Wakeup where Value == Void {
  package func resume() { resume(returning: ()) }
}

/// Tasks that were woken and aren't back on the engine's thread yet.
package enum Wakeups {
  fileprivate static let count = Atomic<Int>(0)
  package static var areOnTheirWay: Bool { count.load(ordering: .relaxed) != 0 }
}

extension EngineActor {
  /// Passes `body` the object that ends this wait, once, and returns its value.
  @EngineActor package static func wait<Value: Sendable>(_ body: (Wakeup<Value>) -> Void) async -> Value {
    let value = await withCheckedContinuation { body(Wakeup(continuation: $0)) }
    Wakeups.count.subtract(1, ordering: .relaxed)
    return value
  }
}
