internal import Core
internal import FoundationEssentials
internal import Glibc

/// What the server's own process uses.
struct OwnProcess: Sendable {
  let residentBytes: Int
  let descriptors: Int

  /// As it is now.
  init() {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").dropFirst()
      .first.flatMap { Int($0) }
    residentBytes = (pages ?? 0) * Int(getpagesize())
    descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
  }
}
