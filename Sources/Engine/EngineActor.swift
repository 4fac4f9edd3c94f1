internal import Synchronization

/// Actor of the only thread on which the engine may be called.
@globalActor package actor EngineActor {
  package static let shared = EngineActor()
  /// Executor of the engine in use, made at the actor's first use.
  private static let executor = makeExecutor()
  private static let engine = Mutex<(@Sendable () -> any SerialExecutor)?>(nil)

  nonisolated package var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

  /// Names the engine by its executor, which starts with the actor's first use; to be called once, before that.
  package static func use(_ executor: @escaping @Sendable () -> any SerialExecutor) {
    engine.withLock { $0 = executor }
  }

  private static func makeExecutor() -> any SerialExecutor {
    guard let make = engine.withLock({ $0 }) else { preconditionFailure("no engine was named") }
    return make()
  }

  /// Runs `body` at once, for callbacks that the engine makes on its thread; traps on any other.
  package static func assumeIsolated<T: Sendable>(_ body: @EngineActor () throws -> T) rethrows -> T {
    executor.checkIsolated()
    return try withoutActuallyEscaping(body) { body in
      try unsafeBitCast(body, to: (() throws -> T).self)()
    }
  }

  /// Runs `body` on the engine's thread.
  package static func run<T: Sendable>(_ body: @EngineActor () throws -> T) async rethrows -> T {
    try await body()
  }
}
