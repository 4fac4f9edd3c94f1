import Foundation
import Synchronization

/// A started program, the lines it prints and how it ends.
///
/// Started by posix_spawn and read on a thread of its own: Foundation's Process and FileHandle sometimes miss the end of
/// a program or of its output on a busy machine, and the test then waits for ever. The output is a named pipe that the
/// program opens itself, so that no process started meanwhile by another test can hold it open.
final class RunningProgram: Sendable {
  let id: Int32
  /// Lines of standard output as they come.
  let lines: AsyncStream<String>
  private let output = Mutex<[UInt8]>([])
  private let errors: String
  private let ended: AsyncStream<Int32>
  private let isOver = Mutex(false)

  struct StartError: Error {
    let number: Int32
  }

  init(_ script: String, in folder: String, environment: [String: String]) throws {
    errors = folder + "/errors-\(UUID().uuidString)"
    let pipe = folder + "/output-\(UUID().uuidString)"
    guard mkfifo(pipe, 0o600) == 0 else { throw StartError(number: errno) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    let words = ["sh", "-c", "cd '\(folder)'; exec > '\(pipe)'\n\(script)"]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    let variables: [UnsafeMutablePointer<CChar>?] = environment.map { name, value in strdup("\(name)=\(value)") }
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let status = posix_spawn(&process, "/bin/sh", &actions, nil, arguments + [nil], variables + [nil])
    guard status == 0 else { throw StartError(number: status) }
    id = process
    let (lines, line) = AsyncStream<String>.makeStream()
    let (ended, end) = AsyncStream<Int32>.makeStream()
    self.lines = lines
    self.ended = ended
    Thread.detachNewThread { [self] in
      read(open(pipe, O_RDONLY | O_CLOEXEC), line)
      line.finish()
      let status = Self.wait(for: id)
      isOver.withLock { $0 = true }
      end.yield(status)
      end.finish()
    }
  }

  /// Sends a signal to the program itself.
  func signal(_ number: Int32) { kill(id, number) }

  /// Kills the program unless it has ended: its number may be another's by then.
  func stop() {
    isOver.withLock { if !$0 { kill(id, SIGKILL) } }
  }

  /// Returns once the program and its output have ended.
  func outcome() async -> Program.Outcome {
    for await _ in lines {}
    var code: Int32 = -1
    for await status in ended { code = status }
    let text = String(decoding: output.withLock { $0 }, as: UTF8.self)
    let complaint = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
    return Program.Outcome(code: code, output: text, errors: complaint)
  }

  /// Hands on what comes, line by line, until nobody can write any more.
  private func read(_ file: Int32, _ line: AsyncStream<String>.Continuation) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var rest: [UInt8] = []
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      output.withLock { $0 += buffer[..<count] }
      rest += buffer[..<count]
      while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
        line.yield(String(decoding: rest[..<newline], as: UTF8.self))
        rest.removeSubrange(...newline)
      }
    }
    close(file)
  }

  /// The exit code, 128 and the signal's number for a death.
  private static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}
