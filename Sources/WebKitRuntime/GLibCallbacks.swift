internal import CWebKitGTK
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

/// What a signal handler's user data points to: a weak reference, so that GLib never keeps a wrapper alive.
@WebKitActor final class SignalTarget<Object: AnyObject> {
  private weak var object: Object?

  init(_ object: Object) { self.object = object }

  /// A pointer that owns one reference, given back by `releaseTarget`.
  func retainedPointer() -> gpointer { Unmanaged.passRetained(self as AnyObject).toOpaque() }

  /// The object behind user data, nil when it's gone.
  static func object(at address: UInt) -> Object? {
    guard let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
    return (Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue() as? SignalTarget<Object>)?.object
  }
}

/// Gives back the reference that a handler's user data owned.
func releaseTarget(_ data: gpointer?) {
  if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
}

/// Connects `callback` to a signal of a GObject; the handler's last argument is the target's pointer.
@WebKitActor func connect<Object>(
  _ instance: UnsafeMutableRawPointer, _ signal: String, _ target: SignalTarget<Object>, _ callback: GCallback?
) {
  galley_connect(instance, signal, callback, target.retainedPointer(), { data, _ in releaseTarget(data) })
}
