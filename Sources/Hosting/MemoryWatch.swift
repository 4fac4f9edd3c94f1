internal import Core
package import Device
internal import Foundation

/// Measures the memory of all processes of a render.
///
/// WebKit's own watch sees web processes only, and is suspended while a script runs. A page fills the memory of others
/// as well: of the network process by stored data and blobs, of this one by calls and requests. These two serve many
/// renders, so only their growth counts, minus the usual growth during a render.
package struct MemoryWatch: Sendable {
  private static let interval = Duration.milliseconds(100)
  /// Growth of the network process in mebibytes for an ordinary ad.
  private static let networkAllowance = 96
  /// Growth of this process in mebibytes, and number of screen images that may be on their way to the disk.
  private static let ownAllowance = 256
  private static let screenshots = 10

  /// Cause that ended the wait.
  package struct Excess: Hashable, Sendable {
    /// Web process that exceeds the limit by itself; nil if only all processes together do.
    package let webProcess: Int32?
  }

  /// Process of the render with its resident memory in mebibytes.
  struct Process: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case worker, web, network }

    let id: Int32
    let kind: Kind
    let mebibytes: Int
  }

  private let limit: Int
  private let ownAllowance: Int
  /// Memory of each process at the start of the render, in mebibytes.
  private let before: [Int32: Int]

  /// Begins to watch a render with this limit in mebibytes.
  package init(limit: Int, device: Device) {
    self.init(limit: limit, device: device, before: Self.processes())
  }

  init(limit: Int, device: Device, before: [Process]) {
    self.limit = limit
    // Pictures are the host's: a large screen isn't the creative's doing.
    let screenshot = device.pixels * 4 / 1_048_576
    ownAllowance = Self.ownAllowance + Self.screenshots * (Int(exactly: min(screenshot.rounded(), 4_096)) ?? 4_096)
    self.before = Dictionary(before.map { ($0.id, $0.mebibytes) }, uniquingKeysWith: { $1 })
  }

  /// Returns once the render's processes use more memory than allowed; throws when cancelled.
  @concurrent package func wait() async throws -> Excess {
    while true {
      try await Task.sleep(for: Self.interval)
      if let excess = excess(of: Self.processes()) { return excess }
    }
  }

  /// Excess of these processes over the limit; nil for none.
  func excess(of processes: [Process]) -> Excess? {
    let web = processes.filter { $0.kind == .web }.max { $0.mebibytes < $1.mebibytes }
    if let web, web.mebibytes > limit { return Excess(webProcess: web.id) }
    let others = processes.reduce(0) { $0 + growth(of: $1) }
    return others > 0 && others + (web?.mebibytes ?? 0) > limit ? Excess(webProcess: nil) : nil
  }

  /// Growth of a process that outlives the render, minus its allowance; 0 for web processes.
  private func growth(of process: Process) -> Int {
    switch process.kind {
    case .web: 0
    case .worker: max(0, process.mebibytes - (before[process.id] ?? 0) - ownAllowance)
    case .network: max(0, process.mebibytes - (before[process.id] ?? 0) - Self.networkAllowance)
    }
  }

  private static func processes() -> [Process] {
    let own = getpid()
    let others = engineProcesses(below: own).map { process in
      Process(id: process.id, kind: process.kind, mebibytes: ProcFS.mebibytes(of: process.id) ?? 0)
    }
    return [Process(id: own, kind: .worker, mebibytes: ProcFS.mebibytes(of: own) ?? 0)] + others
  }

  /// Engine processes that show pages or connect them to the network.
  ///
  /// They have dozens of threads, each of which could start a process, but start none that counts here.
  private static func engineProcesses(below root: Int32) -> [(id: Int32, kind: Process.Kind)] {
    ProcFS.descendants(of: root) { kind(of: $0) != nil || $0.hasPrefix("Xvfb") }.compactMap { process in
      kind(of: process.name).map { (process.id, $0) }
    }
  }

  private static func kind(of name: String) -> Process.Kind? {
    name.hasPrefix("WebKitWebProces") ? .web : name.hasPrefix("WebKitNetworkPr") ? .network : nil
  }

  /// Web processes among the descendants of a process.
  package static func webProcesses(below root: Int32) -> [Int32] {
    engineProcesses(below: root).filter { $0.kind == .web }.map(\.id)
  }
}
