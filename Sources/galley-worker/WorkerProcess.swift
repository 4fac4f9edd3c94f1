internal import CStartup
internal import Files
internal import Foundation
internal import Glibc
internal import WebKitRuntime

/// Location of this program.
enum Executable {
  /// The folder of the running program, where the web process extension is as well.
  static var folder: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }
}

/// Pipes to and from the command. No other process has them: one that could write to them could forge results.
enum CommandPipes {
  /// File descriptors: one to read the command's requests from, one to write messages to.
  static let (requests, messages) = take()

  /// Moves the pipes away from the standard streams, which all programs inherit; called before any process is started.
  private static func take() -> (Int32, Int32) {
    var pipes: [Int32] = [-1, -1]
    let problem = startup_take_pipes(&pipes)
    guard problem == 0 else { Report.fail("the pipes to the command can't be kept apart: \(SystemError(problem))") }
    return (pipes[0], pipes[1])
  }

  /// Reads requests line by line until the input ends.
  static func forEachRequest(_ handle: (String) -> Void) {
    guard let file = fdopen(requests, "r") else { return }
    defer { fclose(file) }
    var text: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(text) }
    while true {
      let count = getline(&text, &size, file)
      guard count > 0, let text else { return }
      let bytes = UnsafeRawBufferPointer(start: text, count: count)
      handle(String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self))
    }
  }
}

/// End of a worker, together with all processes that it started; none of them has output left that is needed.
enum WorkerEnd {
  /// Ends all processes at once; ended one by one, they would notice the loss of the others much later.
  static func leave(_ status: Int32) -> Never {
    WebKitEngine.end()
    // The command makes each worker the head of a process group, which web processes and display are in as well.
    if getpgrp() == getpid() { kill(0, SIGKILL) }
    _exit(status)
  }

  /// Ends the worker as soon as its output has no reader any more, for example because the command and its guard were
  /// killed.
  static func followReader() {
    Thread.detachNewThread {
      var output = pollfd(fd: CommandPipes.messages, events: 0, revents: 0)
      while poll(&output, 1, -1) < 1 {}
      leave(3)
    }
  }
}

/// Messages of a worker for users, on standard error; the command keeps the last part for the message about a crash.
enum Report {
  /// Reports the reason why the worker can't work, and exits.
  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("galley-worker: \(message)\n".utf8))
    exit(3)
  }
}
