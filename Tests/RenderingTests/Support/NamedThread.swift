import Glibc
import Testing

/// Thread with the name of one of the engine's own, by which its task is recognised.
enum NamedThread {
  /// Work of a thread.
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread with a name of at most 15 bytes.
  static func start(_ name: StaticString, _ body: @escaping @Sendable () -> Void) throws -> pthread_t {
    var thread = pthread_t()
    let named = Body {
      guard let symbol = dlsym(nil, "prctl") else { return }
      typealias SetName = @convention(c) (Int32, UnsafePointer<UInt8>) -> Int32
      _ = unsafeBitCast(symbol, to: SetName.self)(15, name.utf8Start)
      body()
    }
    let made = pthread_create(
      &thread, nil,
      { value in
        guard let value else { return nil }
        Unmanaged<Body>.fromOpaque(value).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(named).toOpaque())
    try #require(made == 0)
    return thread
  }
}
