import Core
import Foundation
import MRAID
import RenderModel
import Subprocess

/// Built command with a worker that renders nothing, in a folder of its own.
final class GalleyProgram: Sendable {
  /// Result of a run.
  struct Outcome {
    /// Exit code; 128 plus the signal's number if a signal ended it.
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

  /// Path of the command that was built with the tests, beside the test bundle.
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

/// Worker that behaves as the creative's name says; with `hang` it and a child hold the fifo `alive` of the folder
/// open.
enum FakeWorker {
  static let path: String = {
    let path = FileManager.default.temporaryDirectory.appending(path: "galley-fake-worker-\(UUID().uuidString)").path()
    guard
      FileManager.default.createFile(atPath: path, contents: Data(script.utf8), attributes: [.posixPermissions: 0o755])
    else { preconditionFailure("can't write \(path)") }
    atexit { try? FileManager.default.removeItem(atPath: FakeWorker.path) }
    return path
  }()

  private static let script = #"""
    #!/bin/sh
    finished() {
      printf '{"finished":{"job":%s,"record":{"schema":2,"creative":{"path":"%s"},' "$id" "$name"
      printf '"device":{"name":"phone",'
      printf '"width":390,"height":844,"scale":3,"renderScale":3},"outcome":"%s",%s' "$1" "$2"
      printf '"states":["default","expanded","default"],"transitions":[],"screenshots":[{"name":"001-default",'
      printf '"path":"screenshots/001-default.png","state":"default","t":1,"width":1170,"height":2532}],'
      printf '"warnings":[],"eventCount":7,"attempts":1,"timings":{"total":412}}}}\n'
    }
    echo '{"ready":{}}'
    while IFS= read -r line; do
      rest=${line#*\"creative\":}; name=${rest#*\"name\":\"}; name=${name%%\"*}
      id=${line#*\"id\":}; id=${id%%[,\}]*}
      printf '{"progress":{"job":%s,"phase":"load"}}\n' "$id"
      case $name in
        hang*) exec 9> alive; setsid sleep 1000 & echo up >&9; sleep 1000 ;;
        slow*) sleep 1000 ;;
        die*) kill -9 $$ ;;
        fail*) finished failed '"message":"no","origin":"creative","code":"expectation-failed",' ;;
        *) finished completed "" ;;
      esac
    done
    """#
}

extension RenderRecord {
  /// Creates a record with only the values that a test needs.
  static func fake(_ outcome: Outcome = .completed, _ failure: Fault? = nil, states: [MRAIDState] = []) -> RenderRecord
  {
    RenderRecord(
      creative: Creative(path: "creative"),
      device: DeviceSummary(name: "phone", width: 390, height: 844, scale: 3, renderScale: 3), outcome: outcome,
      failure: failure, states: states, timings: ["total": 412.4])
  }
}
