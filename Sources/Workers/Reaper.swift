internal import Core
internal import FoundationEssentials
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

/// The live processes of this user, as `/proc` shows them; one that vanishes while being looked at isn't there.
struct ProcessTable: Sendable {
  /// Process ids whose environment holds the marker, the calling process excepted.
  func processes(marked marker: Marker) -> [Int32] {
    let entry = Array(marker.entry.utf8)
    return ids().filter { $0 != getpid() && isOwn($0) && Self.holds(environment(of: $0), entry) }
  }

  /// Whether `entry` is one of the NUL-separated entries of `environment`.
  static func holds(_ environment: [UInt8], _ entry: [UInt8]) -> Bool {
    environment.split(separator: 0).contains { $0.elementsEqual(entry) }
  }

  /// What a process has in memory, files it maps included; nil when it is gone.
  static func mebibytes(of id: Int32) -> Int? {
    guard let file = fopen("/proc/\(id)/statm", "re") else { return nil }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 256)
    guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
    let line = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // Size, then what is resident, in pages.
    let pages = line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return pages.map { ($0 * Int(getpagesize())) >> 20 }
  }

  /// What a worker and its network process have in memory together; web processes end with their creatives.
  static func mebibytes(ofWorker id: Int32) -> Int? {
    guard let own = mebibytes(of: id) else { return nil }
    let others = children(of: id).filter { name(of: $0).hasPrefix("WebKitNetworkPr") }
    return own + others.reduce(0) { $0 + (mebibytes(of: $1) ?? 0) }
  }

  private static func children(of id: Int32) -> [Int32] {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
    return threads.flatMap { thread in
      FileReading.kernelText("/proc/\(id)/task/\(thread)/children").split(separator: " ").compactMap { Int32($0) }
    }
  }

  private static func name(of id: Int32) -> String { FileReading.kernelText("/proc/\(id)/comm") }

  private func ids() -> [Int32] {
    guard let directory = opendir("/proc") else { return [] }
    defer { closedir(directory) }
    var ids: [Int32] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if let id = Int32(name) { ids.append(id) }
    }
    return ids
  }

  private func isOwn(_ id: Int32) -> Bool {
    var status = stat()
    return stat("/proc/\(id)", &status) == 0 && status.st_uid == geteuid()
  }

  /// Empty for a zombie, for a process between two programs and for one that is gone.
  private func environment(of id: Int32) -> [UInt8] {
    let file = open("/proc/\(id)/environ", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(file, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }
}
