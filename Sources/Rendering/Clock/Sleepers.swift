internal import Core
internal import WebKitRuntime

/// Tasks that wait for an instant of a clock, woken in the order of their instants.
@WebKitActor final class Sleepers {
  private struct Sleeper {
    let instant: Duration
    let wakeup: Wakeup<Void>
  }

  private var waiting: [Int: Sleeper] = [:]
  private var next = 0
  private var isOver = false

  /// Returns at the instant, or when the task is cancelled.
  func sleep(until instant: Duration) async {
    guard !isOver else { return }
    let id = next
    next += 1
    await withTaskCancellationHandler {
      await WebKitActor.wait { wakeup in
        if Task.isCancelled {
          wakeup.resume()
        } else {
          waiting[id] = Sleeper(instant: instant, wakeup: wakeup)
        }
      }
    } onCancel: {
      Task { @WebKitActor [weak self] in self?.waiting.removeValue(forKey: id)?.wakeup.resume() }
    }
  }

  /// When the first is to be woken; nil when nobody waits.
  var nextInstant: Duration? { waiting.values.map(\.instant).min() }

  /// Whether somebody's instant has come.
  func areDue(at instant: Duration) -> Bool { nextInstant.map { $0 <= instant } ?? false }

  /// Wakes the first whose instant has come; false when nobody's has.
  func wakeFirst(at instant: Duration) -> Bool {
    let first = waiting.min { ($0.value.instant, $0.key) < ($1.value.instant, $1.key) }
    guard let first, first.value.instant <= instant else { return false }
    waiting.removeValue(forKey: first.key)?.wakeup.resume()
    return true
  }

  /// Wakes everyone, and from now on keeps nobody.
  func wakeAll() {
    isOver = true
    while wakeFirst(at: .seconds(Int64.max / 2)) {}
  }
}
