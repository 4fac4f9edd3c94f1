internal import Foundation
internal import WebKitRuntime

/// What happens to a worker whose command is gone, be it killed together with its guard.
enum Abandonment {
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
