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

/// Whether WebKit's sandbox can be used on this machine.
enum Sandbox {
  /// Tries bubblewrap with the namespaces that WebKit asks of it; containers often forbid them.
  static func isAvailable() -> Bool {
    let arguments = [
      "bwrap", "--die-with-parent", "--unshare-pid", "--unshare-uts", "--ro-bind", "/", "/", "--proc", "/proc", "true",
    ]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0) }
    let copies = arguments.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, "bwrap", &actions, nil, copies + [nil], environ) == 0 else { return false }
    var status: Int32 = 0
    guard waitpid(process, &status, 0) == process else { return false }
    return status == 0
  }
}

/// What happens to a worker whose command is gone, be it killed together with its guard.
enum ParentWatch {
  /// Kills this process and everything it started as soon as nobody reads its output any more.
  static func watch() {
    Thread.detachNewThread {
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while poll(&output, 1, -1) < 1 {}
      WebKitEngine.end()
      // The command makes each worker the head of a process group, which web processes and display are in as well.
      if getpgrp() == getpid() { kill(0, SIGKILL) }
      _exit(3)
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
