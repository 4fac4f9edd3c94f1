internal import Core
internal import Glibc

/// Kills every process that carries a marker, children started while it looks included.
package struct Reaper: Sendable {
  /// Sweeps without a find after which nothing is left: one alone may meet a process between fork and exec.
  private static let cleanSweeps = 2

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

/// The live processes of this user, and what workers have in memory.
struct ProcessTable: Sendable {
  /// Process ids whose environment holds the marker, the calling process excepted.
  func processes(marked marker: Marker) -> [Int32] {
    let entry = Array(marker.entry.utf8)
    return ProcFS.ids.filter {
      $0 != getpid() && ProcFS.isOwn($0) && Self.holds(ProcFS.environment(of: $0), entry)
    }
  }

  /// Whether `entry` is one of the NUL-separated entries of `environment`.
  static func holds(_ environment: [UInt8], _ entry: [UInt8]) -> Bool {
    environment.split(separator: 0).contains { $0.elementsEqual(entry) }
  }

  /// What a worker and its network process have in memory together; web processes end with their creatives.
  static func mebibytes(ofWorker id: Int32) -> Int? {
    guard let own = ProcFS.mebibytes(of: id) else { return nil }
    let others = ProcFS.children(of: id).filter { ProcFS.name(of: $0).hasPrefix("WebKitNetworkPr") }
    return own + others.reduce(0) { $0 + (ProcFS.mebibytes(of: $1) ?? 0) }
  }
}
