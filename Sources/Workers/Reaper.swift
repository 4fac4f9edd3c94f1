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

  /// Kills what is there now and says whether nothing was.
  func sweep() -> Bool {
    let (found, isSure) = table.look(for: marker)
    for id in found { kill(id, SIGKILL) }
    return found.isEmpty && isSure
  }

  /// Sweeps until nothing is left or `seconds` are over, and says whether nothing is; goes on when cancelled.
  ///
  /// - Parameter group: the process group that what is looked for was started in, where that is known.
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

  /// Whether a group has no process any more, not even one between fork and exec.
  private func isOver(_ group: Int32?) -> Bool {
    guard let group, group > 1 else { return false }
    return kill(-group, 0) != 0 && errno == ESRCH
  }
}

/// The live processes of this user, and what workers have in memory.
struct ProcessTable: Sendable {
  /// Process ids whose environment holds the marker, the calling process excepted.
  func processes(marked marker: Marker) -> [Int32] { look(for: marker).found }

  /// The same, and whether those are all: what is between two programs just now has no environment to look at.
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

  /// Whether `entry` is one of the NUL-separated entries of `environment`.
  static func holds(_ environment: [UInt8], _ entry: [UInt8]) -> Bool {
    var rest = environment[...]
    while let end = rest.firstIndex(of: 0) ?? (rest.isEmpty ? nil : rest.endIndex) {
      if end - rest.startIndex == entry.count, rest[..<end].elementsEqual(entry) { return true }
      rest = rest[min(end + 1, rest.endIndex)...]
    }
    return false
  }

  /// What a worker and its network process have in memory together; web processes end with their creatives.
  static func mebibytes(ofWorker id: Int32) -> Int? {
    guard let own = ProcFS.mebibytes(of: id) else { return nil }
    let others = ProcFS.children(of: id).filter { ProcFS.name(of: $0).hasPrefix("WebKitNetworkPr") }
    return own + others.reduce(0) { $0 + (ProcFS.mebibytes(of: $1) ?? 0) }
  }
}
