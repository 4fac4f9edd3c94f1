internal import FoundationEssentials
package import Jobs

/// The programs Galley starts besides itself.
package enum Executables {
  /// Where tests say another worker is.
  static let workerVariable = "GALLEY_WORKER_PATH"

  /// The running program's own file.
  package static var own: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/proc/self/exe"
  }

  /// The worker program: `GALLEY_WORKER_PATH`, else `galley-worker` beside this program.
  package static func worker(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(Fault) -> String {
    let folder = own[..<(own.lastIndex(of: "/") ?? own.endIndex)]
    let path = environment[workerVariable] ?? folder + "/galley-worker"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw .engine("worker-missing", "there is no worker program at \(path)")
    }
    return path
  }
}
