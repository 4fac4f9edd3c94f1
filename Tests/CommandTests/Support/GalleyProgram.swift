import Foundation
import Subprocess

/// The built command with a worker that renders nothing, in a folder of its own.
final class GalleyProgram: Sendable {
  /// What a run left behind for its caller.
  struct Outcome {
    /// The exit code, 128 and the signal's number for a death.
    let code: Int32
    let output: String
    let errors: String
  }

  let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "galley-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The command the tests were built with stands beside the test bundle.
  static let path: String = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return tests[..<(tests.lastIndex(of: "/") ?? tests.endIndex)] + "/galley"
  }()

  /// Writes a file below the folder and returns its path.
  @discardableResult func file(_ name: String, _ text: String = "<p>ad</p>") throws -> String {
    let file = URL(filePath: folder).appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file.path()
  }

  /// Runs `sh -c` in the folder with `$GALLEY` as the command, and returns when it and its output have ended.
  func shell(_ script: String) async throws -> Outcome {
    let result = try await Subprocess.run(
      .name("sh"), arguments: ["-c", "cd '\(folder)' && \(script)"],
      environment: .inherit.updating([
        "GALLEY": Self.path, "GALLEY_WORKER_PATH": FakeWorker.path, "NO_COLOR": nil,
      ]),
      output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
    let code =
      switch result.terminationStatus {
      case .exited(let code): code
      case .signaled(let signal): 128 + signal
      }
    return Outcome(code: code, output: result.standardOutput, errors: result.standardError)
  }

  /// Runs the command with these arguments.
  func run(_ arguments: String) async throws -> Outcome {
    try await shell("exec \"$GALLEY\" \(arguments)")
  }
}
