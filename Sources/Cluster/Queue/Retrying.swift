internal import Core

/// Repetitions of calls that no server answered, and of writes that others were ahead of.
enum Retrying {
  /// Retries a call with growing pauses: a cluster that lost the leader of a stream takes up to nine seconds to find
  /// another.
  static func run<Value>(_ body: @Sendable () async throws(Fault) -> Value) async throws(Fault) -> Value {
    for pause in [50, 100, 200, 400, 800, 1600, 3200, 3200] {
      do throws(Fault) {
        return try await body()
      } catch let error where error.isPassingNatsFault {
        try? await Task.sleep(for: .milliseconds(pause))
      }
    }
    return try await body()
  }

  /// Maximum number of attempts to write a value that others write at the same time.
  static let mostWrites = 100

  /// Fault for a value that others changed before each of these attempts.
  static func busy(_ what: String) -> Fault {
    .engine("nats-busy", "\(what) was changed by other servers \(mostWrites) times meanwhile")
  }
}
