internal import Glibc

/// The home folder as the engine sees it.
package enum HomeFolder {
  /// Replaces one that isn't there or that this user may not enter, as service managers and containers have it: the
  /// engine doesn't look whether it found one, and bubblewrap can't start over a closed one.
  package static func replaceIfClosed() {
    guard access(path, X_OK) != 0, let empty = EngineFolders.make() else { return }
    // Nothing is to be kept there.
    chmod(empty, 0o500)
    setenv("HOME", empty, 1)
  }

  /// As GLib finds it.
  private static var path: String {
    if let home = getenv("HOME") { return String(cString: home) }
    return getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) } ?? ""
  }
}
