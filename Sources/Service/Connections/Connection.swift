internal import NIOCore
internal import Synchronization

/// One connection and its state between requests.
final class Connection: Sendable {
  private enum Stand: Hashable {
    /// A head is being received, counted from 1; the first begins with the connection.
    case head(Int)
    case answering
    case resting
  }
  private struct State {
    var stand = Stand.head(1)
    var heads = 1
    /// Number of times that the answer's buffer was full.
    var jams = 0
    var hasHungUp = false
    /// Indicates if another connection has taken the place.
    var hasGivenWay = false
    /// True if it has only a reserved place for probes.
    var isReserved = false
    /// Streams that end when the connection is displaced; some of them also when the client hangs up.
    var listeners: [Int: (end: AsyncStream<Never>.Continuation, hearsHangUp: Bool)] = [:]
    var nextListener = 0

    /// Removes the streams that end now, and returns their continuations.
    mutating func take(hangUpOnly: Bool) -> [AsyncStream<Never>.Continuation] {
      let taken = listeners.filter { !hangUpOnly || $0.value.hearsHangUp }
      for id in taken.keys { listeners[id] = nil }
      return taken.values.map(\.end)
    }
  }

  /// Its id in the table of connections.
  let id: Int
  let channel: any Channel
  private let state = Mutex(State())

  init(_ id: Int, _ channel: any Channel) { (self.id, self.channel) = (id, channel) }

  /// Notes that bytes arrived; returns the number of the head that begins with them, nil if no head begins.
  func hear() -> Int? {
    state.withLock { state in
      guard state.stand == .resting else { return nil }
      state.heads += 1
      state.stand = .head(state.heads)
      return state.heads
    }
  }

  /// Indicates if the head with a number is still incomplete.
  func isWaiting(for head: Int) -> Bool { state.withLock { $0.stand == .head(head) } }

  /// Notes that a request is complete enough to be answered.
  func work(isReserved: Bool) {
    state.withLock { ($0.stand, $0.isReserved) = (.answering, isReserved) }
  }

  /// True if it has only a reserved place, which serves probes alone.
  var isReserved: Bool { state.withLock { $0.isReserved } }

  /// True if another connection has taken the place, so that the answer must end.
  var hasGivenWay: Bool { state.withLock { $0.hasGivenWay } }

  /// True while a request is being answered.
  var isAnswering: Bool { state.withLock { $0.stand == .answering } }

  /// Starts the timeout for the body: until `endBody`, a client that sends nothing more is answered with 408.
  func beginBody() { channel.triggerUserOutboundEvent(BodyStage.begins, promise: nil) }

  /// Ends the timeout that `beginBody` started.
  func endBody() { channel.triggerUserOutboundEvent(BodyStage.ends, promise: nil) }

  /// Notes that the answer is complete.
  func rest() { state.withLock { $0.stand = .resting } }

  /// Notes that the answer's buffer is full; returns how many times it has been.
  func jam() -> Int {
    state.withLock { state in
      state.jams += 1
      return state.jams
    }
  }

  /// Indicates if the buffer has been full without interruption since the time with that number.
  func isJammed(since jam: Int) -> Bool { !channel.isWritable && state.withLock { $0.jams == jam } }

  /// Notes that the client sends nothing more.
  func hangUp() {
    let listeners = state.withLock { state in
      state.hasHungUp = true
      return state.take(hangUpOnly: true)
    }
    for listener in listeners { listener.finish() }
  }

  /// Notes that another connection has taken the place.
  func giveWay() {
    let listeners = state.withLock { state in
      state.hasGivenWay = true
      return state.take(hangUpOnly: false)
    }
    for listener in listeners { listener.finish() }
  }

  /// Runs a body that is cancelled when the client hangs up or the connection is displaced.
  func whileConnected<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        for await _ in self.untilItGivesWay(orHangsUp: true) {}
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

  /// An empty stream that ends when another connection needs the place, and with `orHangsUp` also when the client hangs
  /// up.
  ///
  /// By default a hang-up is ignored: a client that has sent its whole request may still wait for the answer.
  func untilItGivesWay(orHangsUp hearsHangUp: Bool = false) -> AsyncStream<Never> {
    let (stream, end) = AsyncStream.makeStream(of: Never.self)
    let number: Int? = state.withLock { state in
      guard !state.hasGivenWay, !(state.hasHungUp && hearsHangUp) else { return nil }
      state.nextListener += 1
      state.listeners[state.nextListener] = (end, hearsHangUp)
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
