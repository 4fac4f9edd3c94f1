internal import Core
internal import Queue
internal import Synchronization

/// Whether this server does what one of many has to do: sending webhooks, removing what is old, giving up what waits.
///
/// A server that dies leaves it to another within some seconds. Where there is one server it always leads.
final class Leadership: Sendable {
  private let lock = Mutex<FarmLock?>(nil)
  private let isAlone: Bool

  init(isAlone: Bool) { self.isAlone = isAlone }

  var isHeld: Bool { isAlone || lock.withLock { $0 != nil } }

  /// Leads as long as it can, and waits for its turn otherwise, until the task is cancelled.
  func run(_ locks: FarmLocks) async {
    while !Task.isCancelled {
      if let held = lock.withLock({ $0 }) {
        if await !held.renew() { lock.withLock { $0 = nil } }
      } else if let taken = try? await locks.take("leader") {
        lock.withLock { $0 = taken }
      }
      try? await Task.sleep(for: .seconds(3))
    }
  }

  /// Leaves it to another server.
  func end() async {
    let held = lock.withLock { held in
      defer { held = nil }
      return held
    }
    await held?.release()
  }
}
