internal import Core
internal import Engine

/// Tasks that wait for an instant of a clock and are woken in the order of their instants.
@EngineActor final class TimerQueue {
  private struct Sleeper {
    let timestamp: Duration
    let wakeup: Wakeup<Void>
  }

  private var waiting: [Int: Sleeper] = [:]
  private var next = 0
  private var isOver = false

  /// Returns at the instant, or when the task is cancelled.
  func sleep(until timestamp: Duration) async {
    guard !isOver else { return }
    let id = next
    next += 1
    await withTaskCancellationHandler {
      await EngineActor.wait { wakeup in
        if Task.isCancelled {
          wakeup.resume()
        } else {
          waiting[id] = Sleeper(timestamp: timestamp, wakeup: wakeup)
        }
      }
    } onCancel: {
      Task { @EngineActor [weak self] in self?.waiting.removeValue(forKey: id)?.wakeup.resume() }
    }
  }

  /// Instant at which the first task is to be woken; nil if none waits.
  var nextTimestamp: Duration? { waiting.values.map(\.timestamp).min() }

  /// Indicates if the instant of at least one task has come.
  func areDue(at timestamp: Duration) -> Bool { nextTimestamp.map { $0 <= timestamp } ?? false }

  /// Wakes the first task whose instant has come; false if there is none.
  func wakeFirst(at timestamp: Duration) -> Bool {
    let first = waiting.min { ($0.value.timestamp, $0.key) < ($1.value.timestamp, $1.key) }
    guard let first, first.value.timestamp <= timestamp else { return false }
    waiting.removeValue(forKey: first.key)?.wakeup.resume()
    return true
  }

  /// Wakes all tasks; calls of `sleep` from now on return at once.
  func wakeAll() {
    isOver = true
    while wakeFirst(at: .seconds(Int64.max / 2)) {}
  }
}
