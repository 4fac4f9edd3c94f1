internal import Core
internal import Dispatch
internal import Synchronization

/// Threads for blocking calls, outside Swift's own pool; the number of lanes limits the calls at a time.
final class BlockingLanes: Sendable {
  private struct State {
    var idle: [Int]
    var waiting: [@Sendable () -> Void] = []
  }

  private let lanes: [DispatchQueue]
  /// Maximum number of calls that wait for a lane.
  private let most: Int
  private let state: Mutex<State>

  init(_ label: String, width: Int, waiting most: Int) {
    // Each serial queue has a thread of its own while it works.
    lanes = (0..<max(1, width)).map { DispatchQueue(label: "\(label).\($0)") }
    self.most = most
    state = Mutex(State(idle: Array(lanes.indices.reversed())))
  }

  /// Runs a call that blocks for a bounded time; throws `nats-busy` if too many calls wait already.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(Fault) -> Value
  ) async throws(Fault) -> Value {
    let result: Result<Value, Fault> = await withCheckedContinuation { continuation in
      let accepted = submit {
        let result: Result<Value, Fault>
        do throws(Fault) {
          result = .success(try body())
        } catch {
          result = .failure(error)
        }
        continuation.resume(returning: result)
      }
      if !accepted {
        continuation.resume(
          returning: .failure(.engine("nats-busy", "\(most) calls are waiting for the connection to NATS")))
      }
    }
    return try result.get()
  }

  /// Gives work to an idle lane or queues it; returns false if the queue is full.
  private func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
    var lane: Int?
    let accepted = state.withLock { state in
      lane = state.idle.popLast()
      if lane != nil { return true }
      guard state.waiting.count < most else { return false }
      state.waiting.append(work)
      return true
    }
    if let lane { lanes[lane].async { self.work(work, on: lane) } }
    return accepted
  }

  /// Runs one piece of work, then the waiting ones.
  private func work(_ first: @Sendable () -> Void, on lane: Int) {
    first()
    while let next = next(for: lane) { next() }
  }

  private func next(for lane: Int) -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.idle.append(lane)
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}
