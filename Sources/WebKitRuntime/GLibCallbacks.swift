internal import CWebKitGTK
package import Engine

/// Calls a closure on the engine's thread itself whenever a file has data to read, so that no other thread has to wake
/// for it.
@EngineActor package final class FileWatch {
  private var source: UnsafeMutablePointer<GSource>?
  fileprivate let read: @EngineActor () -> Void

  /// Calls `read` again and again while there is something to read, the end of the file included.
  package init(_ file: Int32, _ read: @escaping @EngineActor () -> Void) {
    self.read = read
    source = galley_watch_file(file, { _, _, data in readWatched(data) }, Unmanaged.passUnretained(self).toOpaque())
  }

  isolated deinit { end() }

  /// Stops all further calls.
  package func end() {
    guard let source else { return }
    self.source = nil
    g_source_destroy(source)
    g_source_unref(source)
  }
}

private func readWatched(_ data: gpointer?) -> gboolean {
  guard let data else { return 0 }
  let address = UInt(bitPattern: data)
  EngineActor.assumeIsolated {
    guard let pointer = UnsafeRawPointer(bitPattern: address) else { return }
    Unmanaged<FileWatch>.fromOpaque(pointer).takeUnretainedValue().read()
  }
  return 1
}

/// Object behind the user data of a signal handler: a weak reference, so that GLib never keeps a wrapper alive.
@EngineActor final class SignalTarget<Object: AnyObject> {
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
@EngineActor func connect<Object>(
  _ instance: UnsafeMutableRawPointer, _ signal: String, _ target: SignalTarget<Object>, _ callback: GCallback?
) {
  galley_connect(instance, signal, callback, target.retainedPointer(), { data, _ in releaseTarget(data) })
}
