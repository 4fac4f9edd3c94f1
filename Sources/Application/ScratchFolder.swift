package import Core
internal import Files
internal import Glibc
internal import Synchronization

/// Folder for temporary files of this program.
///
/// If the program doesn't end normally, the watchdog removes it, or the next program that starts.
package enum ScratchFolder {
  /// Folders to remove when the program ends.
  private static let kept = Mutex<[String]>([])

  /// Makes an empty folder that only this user may read, and returns its path.
  package static func make() throws(Fault) -> String {
    // The lock is open as long as this program runs.
    guard let folder = EngineFolder.make() else {
      throw .engine("output-failed", "can't create a folder in \(EngineFolder.place): \(SystemError(errno))")
    }
    let isFirst = kept.withLock { kept in
      kept.append(folder.path)
      return kept.count == 1
    }
    if isFirst { atexit { ScratchFolder.kept.withLock { $0 }.forEach(EngineFolder.remove) } }
    return folder.path
  }
}
