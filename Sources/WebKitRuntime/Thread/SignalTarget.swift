internal import CWebKitGTK

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
