internal import Synchronization

/// Lets so many through at a time, in the order in which they came: for what takes much memory.
final class AsyncSemaphore: Sendable {
  private struct Queue {
    var free: Int
    var latest = 0
    var waiting: [(ticket: Int, turn: CheckedContinuation<Void, any Error>)] = []
    /// Tickets that were given up before anybody waited with them.
    var givenUp: Set<Int> = []
  }

  private let queue: Mutex<Queue>

  init(_ width: Int) { queue = Mutex(Queue(free: max(1, width))) }

  /// Does something when it is its turn; who is cancelled while waiting leaves the queue.
  func pass<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    try await enter()
    defer { leave() }
    return try await body()
  }

  /// The same if nobody has to wait for it; nil when somebody would.
  func passAtOnce<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value? {
    guard enterAtOnce() else { return nil }
    defer { leave() }
    return try await body()
  }

  /// How many wait.
  var length: Int { queue.withLock { $0.waiting.count } }

  private func enterAtOnce() -> Bool {
    queue.withLock { queue in
      guard queue.free > 0 else { return false }
      queue.free -= 1
      return true
    }
  }

  private func enter() async throws {
    guard !enterAtOnce() else { return }
    let ticket = queue.withLock { queue in
      queue.latest += 1
      return queue.latest
    }
    defer { queue.withLock { _ = $0.givenUp.remove(ticket) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { enqueue(ticket, $0) }
    } onCancel: {
      giveUp(ticket)
    }
  }

  /// Waits, unless the ticket was given up or a place became free since it was taken.
  private func enqueue(_ ticket: Int, _ turn: CheckedContinuation<Void, any Error>) {
    let result: Result<Void, any Error>? = queue.withLock { queue in
      if queue.givenUp.contains(ticket) { return .failure(CancellationError()) }
      guard queue.free > 0 else {
        queue.waiting.append((ticket, turn))
        return nil
      }
      queue.free -= 1
      return .success(())
    }
    if let result { turn.resume(with: result) }
  }

  private func giveUp(_ ticket: Int) {
    let turn = queue.withLock { queue -> CheckedContinuation<Void, any Error>? in
      guard let index = queue.waiting.firstIndex(where: { $0.ticket == ticket }) else {
        queue.givenUp.insert(ticket)
        return nil
      }
      return queue.waiting.remove(at: index).turn
    }
    turn?.resume(throwing: CancellationError())
  }

  private func leave() {
    let turn = queue.withLock { queue -> CheckedContinuation<Void, any Error>? in
      guard !queue.waiting.isEmpty else {
        queue.free += 1
        return nil
      }
      return queue.waiting.removeFirst().turn
    }
    turn?.resume()
  }
}
