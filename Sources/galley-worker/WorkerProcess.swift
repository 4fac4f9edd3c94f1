internal import Foundation
internal import Glibc
internal import WebKitRuntime

/// Where this program is.
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

/// How a worker ends: together with everything it started, none of which has a last word that anybody waits for.
enum WorkerEnd {
  /// Ends all of it at once; one by one they would notice much later that the others are gone.
  static func leave(_ status: Int32) -> Never {
    WebKitEngine.end()
    // The command makes each worker the head of a process group, which web processes and display are in as well.
    if getpgrp() == getpid() { kill(0, SIGKILL) }
    _exit(status)
  }

  /// Does so as soon as nobody reads this process's output any more, as of a command that was killed with its guard.
  static func followReader() {
    Thread.detachNewThread {
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while poll(&output, 1, -1) < 1 {}
      leave(3)
    }
  }
}

/// What a worker says to people; the command keeps the last of it for a crash's message.
enum Report {
  /// Says why the worker can't work and ends it.
  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("galley-worker: \(message)\n".utf8))
    exit(3)
  }
}
