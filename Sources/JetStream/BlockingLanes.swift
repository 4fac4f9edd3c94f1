internal import Core
internal import Dispatch
internal import Synchronization

/// Threads for calls that block, so that they never hold up Swift's own; as many at a time as there are lanes.
final class BlockingLanes: Sendable {
  private struct State {
    var idle: [Int]
    var waiting: [@Sendable () -> Void] = []
  }

  private let lanes: [DispatchQueue]
  /// Calls that may wait for a lane.
  private let most: Int
  private let state: Mutex<State>

  init(_ label: String, width: Int, waiting most: Int) {
    // Each serial queue has a thread of its own while it works.
    lanes = (0..<max(1, width)).map { DispatchQueue(label: "\(label).\($0)") }
    self.most = most
    state = Mutex(State(idle: Array(lanes.indices.reversed())))
  }

  /// Does something that blocks for a bounded time; refuses it when too many wait already.
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
          returning: .failure(.engine("nats-busy", "\(most) calls wait for the connection to NATS already")))
      }
    }
    return try result.get()
  }

  /// Gives work to an idle lane or lines it up; false when the line is too long.
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

  /// Does one piece of work, then whatever waits.
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
