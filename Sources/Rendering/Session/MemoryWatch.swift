internal import Core
internal import Foundation
internal import WebKitRuntime

/// Measures what this process's web processes use; WebKit's own watch sleeps while a script runs.
enum MemoryWatch {
  private static let interval = Duration.milliseconds(100)

  /// The web process that holds more than so many MiB of resident memory, once one does; throws when cancelled.
  @concurrent static func wait(until mebibytes: Int) async throws -> Int32 {
    while true {
      try await Task.sleep(for: interval)
      for process in descendants(of: getpid()) where residentMebibytes(process) > mebibytes {
        if isWebProcess(process) { return process }
      }
    }
  }

  /// Every process below `root`, found through /proc.
  static func descendants(of root: Int32) -> [Int32] {
    var found: [Int32] = []
    var open = [root]
    while let process = open.popLast() {
      let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
      for task in tasks {
        let children = read("/proc/\(process)/task/\(task)/children").split(separator: " ").compactMap { Int32($0) }
        found += children
        open += children
      }
    }
    return found
  }

  private static func residentMebibytes(_ process: Int32) -> Int {
    let pages = read("/proc/\(process)/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return (pages * Int(getpagesize())) >> 20
  }

  /// Whether a process is one that shows pages.
  static func isWebProcess(_ process: Int32) -> Bool {
    read("/proc/\(process)/comm").hasPrefix("WebKitWebProces")
  }

  private static func read(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
