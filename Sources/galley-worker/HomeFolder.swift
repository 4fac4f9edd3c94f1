internal import Glibc

/// The home folder as the engine sees it.
enum HomeFolder {
  /// Replaces one this user may not enter, as service managers and containers set it: bubblewrap can't start over it.
  static func forgetIfClosed() {
    guard let home = getenv("HOME"), access(home, X_OK) != 0, errno == EACCES else { return }
    setenv("HOME", "/nonexistent", 1)
  }
}
