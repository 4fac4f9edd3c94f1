internal import NIOCore
internal import Synchronization

/// One connection, and where it stands between its requests.
final class Connection: Sendable {
  private enum Stand: Hashable {
    /// A head has begun, the so-manieth; the first does so with the connection.
    case head(Int)
    case answering
    case resting
  }
  private struct State {
    var stand = Stand.head(1)
    var heads = 1
    /// How often there was no room for more of an answer.
    var jams = 0
    var hasHungUp = false
    /// Who wants to hear when the client hangs up.
    var listeners: [Int: AsyncStream<Never>.Continuation] = [:]
    var nextListener = 0
  }

  /// Its place in the table.
  let id: Int
  let channel: any Channel
  private let state = Mutex(State())

  init(_ id: Int, _ channel: any Channel) { (self.id, self.channel) = (id, channel) }

  /// Takes note of bytes; the number of the head that begins with them, nil for the rest of one.
  func hear() -> Int? {
    state.withLock { state in
      guard state.stand == .resting else { return nil }
      state.heads += 1
      state.stand = .head(state.heads)
      return state.heads
    }
  }

  /// Whether the head of a number hasn't come to its end.
  func isWaiting(for head: Int) -> Bool { state.withLock { $0.stand == .head(head) } }

  /// A request has come whole enough to be answered.
  func work() { state.withLock { $0.stand = .answering } }

  /// Its answer is over.
  func rest() { state.withLock { $0.stand = .resting } }

  /// Takes note that there is no room for more of an answer; the number of times that there wasn't.
  func jam() -> Int {
    state.withLock { state in
      state.jams += 1
      return state.jams
    }
  }

  /// Whether there still is no room since that time.
  func isJammed(since jam: Int) -> Bool { !channel.isWritable && state.withLock { $0.jams == jam } }

  /// Takes note that the client sends nothing more.
  func hangUp() {
    let listeners = state.withLock { state in
      state.hasHungUp = true
      defer { state.listeners = [:] }
      return state.listeners.values
    }
    for listener in listeners { listener.finish() }
  }

  /// Does something, which is cancelled when the client hangs up.
  func whileConnected<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        for await _ in self.untilHungUp() {}
        return nil
      }
      defer { group.cancelAll() }
      while let value = try await group.next() {
        if let value { return value }
        group.cancelAll()
      }
      throw CancellationError()
    }
  }

  /// Has no elements and ends when the client hangs up.
  private func untilHungUp() -> AsyncStream<Never> {
    let (stream, end) = AsyncStream.makeStream(of: Never.self)
    let number: Int? = state.withLock { state in
      guard !state.hasHungUp else { return nil }
      state.nextListener += 1
      state.listeners[state.nextListener] = end
      return state.nextListener
    }
    guard let number else {
      end.finish()
      return stream
    }
    end.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
    return stream
  }
}
