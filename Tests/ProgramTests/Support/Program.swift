import Foundation
import Jobs
import Testing

/// The built command with its real worker, in a folder of its own.
final class Program: Sendable {
  /// What a run left behind for its caller.
  struct Outcome {
    /// The exit code, 128 and the signal's number for a death.
    let code: Int32
    let output: String
    let errors: String

    /// What `--json` printed.
    func document() throws -> BatchDocument {
      try JSONDecoder().decode(BatchDocument.self, from: Data(output.utf8))
    }
  }

  let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "galley-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The command the tests were built with stands beside the test bundle, as do its worker and extension.
  static let path: String = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return tests[..<(tests.lastIndex(of: "/") ?? tests.endIndex)] + "/galley"
  }()

  /// Writes a file below the folder.
  func file(_ name: String, _ text: String = "<p>ad</p>") throws { try file(name, Data(text.utf8)) }

  func file(_ name: String, _ bytes: Data) throws {
    let file = URL(filePath: folder).appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: file)
  }

  func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/" + path) }

  /// Runs `galley render` with results in `out`.
  func render(_ arguments: String) async throws -> Outcome {
    try await shell("exec \"$GALLEY\" render --out out \(arguments)")
  }

  /// Plays a scenario with the creative in `ad`.
  func play(
    _ steps: String, clock: String = "virtual", _ options: String = "--timeout 25"
  ) async throws -> Outcome {
    try file("steps.yaml", steps)
    return try await render("ad --scenario steps.yaml --clock \(clock) --jobs 1 --json \(options)")
  }

  /// Runs a shell script in the folder with `$GALLEY` as the command.
  func shell(_ script: String) async throws -> Outcome { try await start(script).outcome() }

  /// Starts a shell script; a command that it becomes by `exec` has the process's id.
  func start(_ script: String, sandbox: Bool = true) throws -> RunningProgram {
    var environment = ProcessInfo.processInfo.environment
    environment["GALLEY"] = Self.path
    // Tests of the engine in this process leave what their processes take up; a command's would take part in their time.
    for name in ["FONTCONFIG_FILE", "LD_PRELOAD", "JSC_useConcurrentGC", "GALLEY_CLOCK_NETWORK"] { environment[name] = nil }
    if !sandbox { environment["PATH"] = try folderWithoutBubblewrap() + ":" + environment["PATH", default: ""] }
    return try RunningProgram(script, in: folder, environment: environment)
  }

  /// A folder whose `bwrap` fails as on a machine that forbids namespaces.
  private func folderWithoutBubblewrap() throws -> String {
    try file("no-sandbox/bwrap", "#!/bin/sh\nexit 1\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder + "/no-sandbox/bwrap")
    return folder + "/no-sandbox"
  }
}
