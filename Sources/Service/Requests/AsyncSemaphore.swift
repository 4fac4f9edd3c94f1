internal import Synchronization

/// Limits concurrent work that needs much memory; callers wait in the order of their arrival.
final class AsyncSemaphore: Sendable {
  private struct Queue {
    var free: Int
    var latest = 0
    var waiting: [(ticket: Int, turn: CheckedContinuation<Void, any Error>)] = []
    /// Tickets that were cancelled before their callers began to wait.
    var givenUp: Set<Int> = []
  }

  private let queue: Mutex<Queue>

  init(_ width: Int) { queue = Mutex(Queue(free: max(1, width))) }

  /// Runs a body once a place is free; a caller that is cancelled while waiting leaves the queue.
  func pass<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    try await enter()
    defer { leave() }
    return try await body()
  }

  /// Runs a body if a place is free at once; nil if not.
  func passAtOnce<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value? {
    guard enterAtOnce() else { return nil }
    defer { leave() }
    return try await body()
  }

  /// Number of waiting callers.
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

  /// Adds a caller to the queue, unless the ticket was cancelled or a place has become free meanwhile.
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
