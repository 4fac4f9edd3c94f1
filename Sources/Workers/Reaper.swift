internal import Core
internal import Glibc

/// Kills every process that carries a marker, including children started during the search.
package struct Reaper: Sendable {
  /// Number of empty sweeps that prove that nothing is left; a single one may miss a process between fork and exec.
  private static let cleanSweeps = 2

  private let marker: Marker
  private let table = ProcessTable()

  package init(_ marker: Marker) {
    self.marker = marker
  }

  /// Kills the processes that exist now; returns true if there were certainly none.
  func sweep() -> Bool {
    let (found, isSure) = table.look(for: marker)
    for id in found { kill(id, SIGKILL) }
    return found.isEmpty && isSure
  }

  /// Sweeps until nothing is left or `seconds` are over; returns true if nothing is left. Cancelling the task doesn't
  /// stop it.
  ///
  /// - Parameter group: the process group in which the processes were started, if it is known.
  @discardableResult package func reap(within seconds: Double = 3, group: Int32? = nil) async -> Bool {
    await Task { await sweepUntilClean(within: Bounded.seconds(seconds), group) }.value
  }

  private func sweepUntilClean(within limit: Duration, _ group: Int32?) async -> Bool {
    let end = ContinuousClock.now + limit
    var clean = 0
    while ContinuousClock.now < end {
      clean = sweep() ? clean + 1 : 0
      if clean >= Self.cleanSweeps || clean > 0 && isOver(group) { return true }
      try? await Task.sleep(for: .milliseconds(2))
    }
    return false
  }

  /// Indicates if a process group has no process left, not even one between fork and exec.
  private func isOver(_ group: Int32?) -> Bool {
    guard let group, group > 1 else { return false }
    return kill(-group, 0) != 0 && errno == ESRCH
  }
}

/// Finds the live processes of this user and measures the memory of workers.
struct ProcessTable: Sendable {
  /// Ids of the processes whose environment contains the marker, except for the calling process.
  func processes(marked marker: Marker) -> [Int32] { look(for: marker).found }

  /// The same, and true if the list is complete: a process between two programs has no environment to search.
  func look(for marker: Marker) -> (found: [Int32], isSure: Bool) {
    let entry = Array(marker.entry.utf8)
    var (found, isSure) = ([Int32](), true)
    for id in ProcFS.ids where id != getpid() && ProcFS.isOwn(id) {
      guard let environment = ProcFS.environment(of: id) else { continue }
      if environment.isEmpty {
        if ProcFS.mayBeBetweenPrograms(id) { isSure = false }
      } else if Self.holds(environment, entry) {
        found.append(id)
      }
    }
    return (found, isSure)
  }

  /// Indicates if `entry` is one of the NUL-separated entries of `environment`.
  static func holds(_ environment: [UInt8], _ entry: [UInt8]) -> Bool {
    var rest = environment[...]
    while let end = rest.firstIndex(of: 0) ?? (rest.isEmpty ? nil : rest.endIndex) {
      if end - rest.startIndex == entry.count, rest[..<end].elementsEqual(entry) { return true }
      rest = rest[min(end + 1, rest.endIndex)...]
    }
    return false
  }

  /// Resident memory of a worker and its network process together; nil if the worker is gone.
  ///
  /// Web processes aren't counted, since they end with their creatives.
  static func mebibytes(ofWorker id: Int32) -> Int? {
    guard let own = ProcFS.mebibytes(of: id) else { return nil }
    let others = ProcFS.children(of: id).filter { ProcFS.name(of: $0).hasPrefix("WebKitNetworkPr") }
    return own + others.reduce(0) { $0 + (ProcFS.mebibytes(of: $1) ?? 0) }
  }
}
