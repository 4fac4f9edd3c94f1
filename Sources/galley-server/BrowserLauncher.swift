internal import Glibc

/// The user's default browser.
enum BrowserLauncher {
  /// Opens an address in the browser; without a desktop nothing happens, but the address has been printed.
  static func open(_ address: String) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0) }
    let words = ["xdg-open", address]
    let copies = words.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    var process: pid_t = 0
    _ = posix_spawnp(&process, "xdg-open", &actions, nil, copies + [nil], environ)
  }
}
