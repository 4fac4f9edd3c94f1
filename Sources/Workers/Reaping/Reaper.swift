internal import Core
internal import Glibc

/// Kills every process that carries a marker, children started while it looks included.
package struct Reaper: Sendable {
  /// Sweeps without a find after which nothing is left: one alone may meet a process between fork and exec.
  static let cleanSweeps = 2

  private let marker: Marker
  private let table = ProcessTable()

  package init(_ marker: Marker) {
    self.marker = marker
  }

  /// Kills what is there now and says how many that were.
  func sweep() -> Int {
    let found = table.processes(marked: marker)
    for id in found { kill(id, SIGKILL) }
    return found.count
  }

  /// Sweeps until nothing is left or `seconds` are over, and says whether nothing is; goes on when cancelled.
  @discardableResult package func reap(within seconds: Double = 3) async -> Bool {
    await Task { await sweepUntilClean(within: Bounded.seconds(seconds)) }.value
  }

  private func sweepUntilClean(within limit: Duration) async -> Bool {
    let end = ContinuousClock.now + limit
    var clean = 0
    while ContinuousClock.now < end {
      clean = sweep() == 0 ? clean + 1 : 0
      if clean >= Self.cleanSweeps { return true }
      try? await Task.sleep(for: .milliseconds(2))
    }
    return false
  }
}
