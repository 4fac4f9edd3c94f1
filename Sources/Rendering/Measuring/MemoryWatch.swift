internal import Core
internal import Device
internal import Foundation

/// Measures what a render takes in all its processes; WebKit's own watch sees web processes only, and sleeps while a
/// script runs.
///
/// A page fills others' memory as well: the network process with what it stores and makes blobs of, this one with calls
/// and requests. These two serve many renders, so what they grow by counts, less what a render takes by itself.
struct MemoryWatch: Sendable {
  private static let interval = Duration.milliseconds(100)
  /// Mebibytes by which the network process grows for an ordinary ad.
  private static let networkAllowance = 96
  /// The same of this process, and copies of a screen's picture that may be under way to the disk.
  private static let ownAllowance = 256
  private static let screenshots = 10

  /// What ended the wait.
  struct Excess: Hashable, Sendable {
    /// The web process that is over the limit by itself; nil when it is only all together.
    let webProcess: Int32?
  }

  /// One of the render's processes and its resident mebibytes.
  struct Process: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case worker, web, network }

    let id: Int32
    let kind: Kind
    let mebibytes: Int
  }

  private let limit: Int
  private let ownAllowance: Int
  /// What there was when the render began.
  private let before: [Int32: Int]

  /// Begins to watch a render that may take so many mebibytes.
  init(limit: Int, device: Device) {
    self.init(limit: limit, device: device, before: Self.processes())
  }

  init(limit: Int, device: Device, before: [Process]) {
    self.limit = limit
    // Pictures are the host's: a large screen isn't the creative's doing.
    let screenshot = device.pixels * 4 / 1_048_576
    ownAllowance = Self.ownAllowance + Self.screenshots * (Int(exactly: min(screenshot.rounded(), 4_096)) ?? 4_096)
    self.before = Dictionary(before.map { ($0.id, $0.mebibytes) }, uniquingKeysWith: { $1 })
  }

  /// Returns once the render's processes hold more than they may; throws when cancelled.
  @concurrent func wait() async throws -> Excess {
    while true {
      try await Task.sleep(for: Self.interval)
      if let excess = excess(of: Self.processes()) { return excess }
    }
  }

  /// What is too much of these processes, if anything.
  func excess(of processes: [Process]) -> Excess? {
    let web = processes.filter { $0.kind == .web }.max { $0.mebibytes < $1.mebibytes }
    if let web, web.mebibytes > limit { return Excess(webProcess: web.id) }
    let others = processes.reduce(0) { $0 + growth(of: $1) }
    return others > 0 && others + (web?.mebibytes ?? 0) > limit ? Excess(webProcess: nil) : nil
  }

  /// By how much a process that outlives the render grew, beyond what it may by itself.
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

  /// The processes of the engine that show pages or are pages' way to the network.
  ///
  /// They have dozens of threads, any of which could start something, and start nothing that is counted here.
  private static func engineProcesses(below root: Int32) -> [(id: Int32, kind: Process.Kind)] {
    ProcFS.descendants(of: root) { kind(of: $0) != nil || $0.hasPrefix("Xvfb") }.compactMap { process in
      kind(of: process.name).map { (process.id, $0) }
    }
  }

  private static func kind(of name: String) -> Process.Kind? {
    name.hasPrefix("WebKitWebProces") ? .web : name.hasPrefix("WebKitNetworkPr") ? .network : nil
  }

  /// The processes below one that show pages.
  static func webProcesses(below root: Int32) -> [Int32] {
    engineProcesses(below: root).filter { $0.kind == .web }.map(\.id)
  }
}
