import Foundation
import Synchronization

/// A started program, the lines it prints and how it ends.
final class RunningProgram: Sendable {
  let id: Int32
  /// Lines of standard output as they come.
  let lines: AsyncStream<String>
  private let output = Mutex<[UInt8]>([])
  private let errors: String
  private let ended: AsyncStream<Int32>

  init(_ script: String, in folder: String, environment: [String: String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = URL(filePath: folder)
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    errors = folder + "/errors-\(UUID().uuidString)"
    try Data().write(to: URL(filePath: errors))
    process.standardError = FileHandle(forWritingAtPath: errors)
    let pipe = Pipe()
    process.standardOutput = pipe
    let (lines, line) = AsyncStream<String>.makeStream()
    let (ended, end) = AsyncStream<Int32>.makeStream()
    self.lines = lines
    self.ended = ended
    process.terminationHandler = { process in
      end.yield(process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus)
      end.finish()
    }
    try process.run()
    id = process.processIdentifier
    listen(pipe.fileHandleForReading, line)
  }

  /// Sends a signal to the program itself.
  func signal(_ number: Int32) { kill(id, number) }

  /// Returns once the program and its output have ended.
  func outcome() async -> Program.Outcome {
    for await _ in lines {}
    var code: Int32 = -1
    for await status in ended { code = status }
    let text = String(decoding: output.withLock { $0 }, as: UTF8.self)
    let complaint = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
    return Program.Outcome(code: code, output: text, errors: complaint)
  }

  private func listen(_ handle: FileHandle, _ line: AsyncStream<String>.Continuation) {
    let rest = Mutex("")
    handle.readabilityHandler = { handle in
      let data = handle.availableData
      guard !data.isEmpty else {
        handle.readabilityHandler = nil
        return line.finish()
      }
      self.output.withLock { $0 += data }
      rest.withLock { rest in
        var pieces = (rest + String(decoding: data, as: UTF8.self)).split(
          separator: "\n", omittingEmptySubsequences: false)
        rest = String(pieces.removeLast())
        for piece in pieces { line.yield(String(piece)) }
      }
    }
  }
}
