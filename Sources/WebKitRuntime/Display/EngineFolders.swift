internal import Glibc
internal import Synchronization

/// The folders of what is shared with the engine's processes; named after this process, so that none outlives it for long.
enum EngineFolders {
  /// The files that may be in one.
  private static let files = ["region", "kick", "rest", FontSetup.fileName]
  private static let prefix = "galley-engine-"
  private static let made = Mutex<Set<String>>([])

  /// Makes an empty folder, and clears away those of processes that were killed; nil when there is no place for one.
  static func make() -> String? {
    let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    sweep(place)
    guard let path = strdup("\(place)/\(prefix)\(getpid())-XXXXXX") else { return nil }
    defer { free(path) }
    guard mkdtemp(path) != nil else { return nil }
    let folder = String(cString: path)
    made.withLock { _ = $0.insert(folder) }
    return folder
  }

  static func remove(_ folder: String) {
    guard made.withLock({ $0.remove(folder) }) != nil else { return }
    clear(folder)
  }

  /// For the end of the process.
  static func removeAll() {
    let all = made.withLock { folders in
      defer { folders = [] }
      return folders
    }
    for folder in all { clear(folder) }
  }

  private static func clear(_ folder: String) {
    for file in files { unlink("\(folder)/\(file)") }
    rmdir(folder)
  }

  private static func sweep(_ place: String) {
    guard let listing = opendir(place) else { return }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard name.hasPrefix(prefix), let process = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }) else {
        continue
      }
      if kill(process, 0) != 0, errno == ESRCH { clear("\(place)/\(name)") }
    }
  }
}
