internal import Synchronization

/// Wakes a task that waits on the WebKit thread.
///
/// A task is resumed by way of another thread, and on that way nothing on this one shows that there is something left to
/// do. So it is counted until it is back.
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

/// Tasks that were woken and aren't back on the WebKit thread yet.
enum Wakeups {
  fileprivate static let count = Atomic<Int>(0)
  static var areOnTheirWay: Bool { count.load(ordering: .relaxed) != 0 }
}

extension WebKitActor {
  /// Hands `body` what ends this wait, once.
  @WebKitActor package static func wait<Value: Sendable>(_ body: (Wakeup<Value>) -> Void) async -> Value {
    let value = await withCheckedContinuation { body(Wakeup(continuation: $0)) }
    Wakeups.count.subtract(1, ordering: .relaxed)
    return value
  }
}
