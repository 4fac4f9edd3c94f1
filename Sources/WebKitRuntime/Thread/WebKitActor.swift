/// The one thread that GTK and WebKit may be called on.
@globalActor package actor WebKitActor {
  package static let shared = WebKitActor()
  /// Starting it initialises GTK, so `DISPLAY` has to be set before anything is isolated here.
  private static let executor = GLibExecutor()

  nonisolated package var unownedExecutor: UnownedSerialExecutor {
    Self.executor.asUnownedSerialExecutor()
  }

  /// Whether GTK found a display.
  static var displayIsOpen: Bool { executor.displayIsOpen }

  /// Runs `body` at once, for C callbacks that GLib makes on this thread; traps on any other.
  static func assumeIsolated<T: Sendable>(_ body: @WebKitActor () throws -> T) rethrows -> T {
    executor.checkIsolated()
    return try withoutActuallyEscaping(body) { body in
      try unsafeBitCast(body, to: (() throws -> T).self)()
    }
  }

  /// Returns when the WebKit thread has nothing else to do.
  @WebKitActor package static func idle() async {
    await wait { wakeup in whenIdle { wakeup.resume() } }
  }

  /// Runs `body` when the WebKit thread has nothing else to do; without a task, whose waits go by other threads.
  static func whenIdle(_ body: @escaping @WebKitActor () -> Void) { executor.whenIdle(body) }

  /// Runs `body` on the WebKit thread.
  package static func run<T: Sendable>(_ body: @WebKitActor () throws -> T) async rethrows -> T {
    try await body()
  }
}
