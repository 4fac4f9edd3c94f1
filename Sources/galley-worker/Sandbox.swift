internal import Glibc

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
