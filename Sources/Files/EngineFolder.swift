internal import Glibc

/// Folder of the files that a worker shares with its display and the engine's processes.
///
/// A lock that is held until the worker ends marks the folder as in use. Process ids can't do that: Galleys in two
/// containers may share a folder for temporary files, and neither sees the other's processes.
package enum EngineFolder {
  private static let prefix = "galley-engine-"
  private static let lockName = "lock"
  private static let displayName = "display"
  /// Seconds after which a folder without a lock counts as abandoned: its owner died while making it.
  private static let lockAllowance = 600
  /// Range of Galley's display numbers, so large that two random numbers practically never coincide.
  private static let displays: Range<UInt32> = 1 << 20..<1 << 30
  /// Maximum nesting depth to which the contents of such a folder are removed.
  private static let depth = 64

  /// The folder for temporary files, in which the engine folders are.
  package static var place: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

  /// Makes an empty folder that belongs to this process as long as `lock` is open; nil if none can be made.
  package static func make(in place: String = place) -> (path: String, lock: Int32)? {
    guard let path = strdup("\(place)/\(prefix)XXXXXX") else { return nil }
    defer { free(path) }
    guard mkdtemp(path) != nil else { return nil }
    let folder = String(cString: path)
    // Under its name the lock is there only once it is held.
    let (half, whole) = ("\(folder)/\(lockName).half", "\(folder)/\(lockName)")
    let lock = open(half, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0, rename(half, whole) == 0 else {
      if lock >= 0 { close(lock) }
      remove(folder)
      return nil
    }
    return (folder, lock)
  }

  /// Draws a display number that no other server has and stores it in the folder; nil if it can't be stored.
  ///
  /// The number is unique in all namespaces.
  package static func drawDisplay(for folder: String) -> UInt32? {
    let number = UInt32.random(in: displays)
    let file = open("\(folder)/\(displayName)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    defer { close(file) }
    do throws(SystemError) {
      try FileWriting.writeAll("\(number)".utf8, to: file)
      return number
    } catch {
      return nil
    }
  }

  /// Removes the folders whose owners are gone, except those of other users. Returns true if some are still in use.
  @discardableResult package static func sweep(_ place: String = place) -> Bool {
    var isInUse = false
    for name in names(in: place) where name.hasPrefix(prefix) {
      let folder = "\(place)/\(name)"
      let lock = open("\(folder)/\(lockName)", O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      if lock >= 0 {
        if flock(lock, LOCK_EX | LOCK_NB) == 0 { remove(folder) } else { isInUse = true }
        close(lock)
      } else if errno == ENOENT, isOld(folder) {
        remove(folder)
      }
    }
    return isInUse
  }

  /// Removes a folder with all its contents, and its display's socket and lock file below `/tmp`.
  package static func remove(_ folder: String) {
    if let display = display(of: folder) {
      for path in ["/tmp/.X11-unix/X\(display)", "/tmp/.X\(display)-lock"] { unlink(path) }
    }
    removeTree(folder, depth)
  }

  private static func display(of folder: String) -> UInt32? {
    let file = open("\(folder)/\(displayName)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = read(file, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return UInt32(String(decoding: bytes[..<count], as: UTF8.self)).flatMap { displays.contains($0) ? $0 : nil }
  }

  private static func isOld(_ folder: String) -> Bool {
    var facts = stat()
    guard lstat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == geteuid() else { return false }
    return time(nil) - facts.st_mtim.tv_sec > lockAllowance
  }

  /// Removes a file, or a folder with its contents; links aren't followed.
  private static func removeTree(_ path: String, _ depth: Int) {
    var facts = stat()
    guard depth > 0, lstat(path, &facts) == 0 else { return }
    guard facts.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    for name in names(in: path) { removeTree("\(path)/\(name)", depth - 1) }
    rmdir(path)
  }

  private static func names(in folder: String) -> [String] {
    guard let listing = opendir(folder) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
