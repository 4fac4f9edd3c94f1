internal import Synchronization

/// Wakes whoever waits for something to do, in this process.
final class WakeBell: Sendable {
  private struct Waiting {
    var next = 0
    var sleepers: [Int: CheckedContinuation<Void, Never>] = [:]
    var rings = 0
  }

  private let waiting = Mutex(Waiting())

  /// How often it rang; who looked before and waits after can't miss a ring.
  var rings: Int { waiting.withLock { $0.rings } }

  /// Wakes everybody.
  func ring() {
    let sleepers = waiting.withLock { waiting in
      waiting.rings += 1
      defer { waiting.sleepers = [:] }
      return waiting.sleepers.values
    }
    for sleeper in sleepers { sleeper.resume() }
  }

  /// Waits for the first ring after so many, or for a time.
  func wait(since rings: Int, within time: Duration) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.sleep(since: rings) }
      group.addTask { try? await Task.sleep(for: time) }
      await group.next()
      group.cancelAll()
    }
  }

  private func sleep(since rings: Int) async {
    let number = waiting.withLock { waiting in
      waiting.next += 1
      return waiting.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isLate = waiting.withLock { waiting in
          if waiting.rings != rings || Task.isCancelled { return true }
          waiting.sleepers[number] = continuation
          return false
        }
        if isLate { continuation.resume() }
      }
    } onCancel: {
      waiting.withLock { $0.sleepers.removeValue(forKey: number) }?.resume()
    }
  }
}
