internal import Core
internal import Glibc
internal import Synchronization

/// The folders of what is shared with the engine's processes, all in one of this process's own.
enum EngineFolders {
  private struct Own {
    var root: (path: String, lock: Int32)?
    var made = 0
  }

  private static let own = Mutex(Own())

  /// The folder that holds all others; nil when there is no place for one.
  ///
  /// The first call makes it, and clears away those of processes that were killed.
  static var root: String? {
    own.withLock { own in
      if own.root == nil {
        EngineFolder.sweep()
        own.root = EngineFolder.make()
      }
      return own.root?.path
    }
  }

  /// Makes an empty folder; nil when there is no place for one.
  static func make() -> String? {
    guard let root else { return nil }
    let number = own.withLock { own in
      own.made += 1
      return own.made
    }
    let folder = "\(root)/\(number)"
    return mkdir(folder, 0o700) == 0 ? folder : nil
  }

  /// Removes one that `make` made.
  static func remove(_ folder: String) { EngineFolder.remove(folder) }

  /// For the end of the process.
  static func removeAll() {
    let root = own.withLock { own in
      defer { own.root = nil }
      return own.root
    }
    guard let root else { return }
    EngineFolder.remove(root.path)
    close(root.lock)
  }
}
