internal import Cluster
internal import Core
internal import Synchronization

/// Election of one server for the tasks that only one may do: webhooks, removal of old renders, ending overdue ones.
///
/// If the leader dies, another server takes over within some seconds. A single server always leads.
final class Leadership: Sendable {
  private let lock = Mutex<ClusterLock?>(nil)
  private let isAlone: Bool

  init(isAlone: Bool) { self.isAlone = isAlone }

  var isHeld: Bool { isAlone || lock.withLock { $0 != nil } }

  /// Takes and renews the leadership whenever possible, until the task is cancelled.
  func run(_ locks: ClusterLocks) async {
    while !Task.isCancelled {
      if let held = lock.withLock({ $0 }) {
        if await !held.renew() { lock.withLock { $0 = nil } }
      } else if let taken = try? await locks.take("leader") {
        lock.withLock { $0 = taken }
      }
      try? await Task.sleep(for: .seconds(3))
    }
  }

  /// Releases the leadership for another server.
  func end() async {
    let held = lock.withLock { held in
      defer { held = nil }
      return held
    }
    await held?.release()
  }
}
