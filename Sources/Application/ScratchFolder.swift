package import Core
internal import Files
internal import Glibc
internal import Synchronization

/// A folder for files that nobody needs when the program has ended.
///
/// A program that doesn't come to its end leaves it to the guard, or to the next that starts.
package enum ScratchFolder {
  /// What is to go with this program.
  private static let kept = Mutex<[String]>([])

  /// Makes one, empty, that only this user may read, and returns its path.
  package static func make() throws(Fault) -> String {
    // The lock is open as long as this program runs.
    guard let folder = EngineFolder.make() else {
      throw .engine("output-failed", "no folder can be made in \(EngineFolder.place): \(SystemError(errno))")
    }
    let isFirst = kept.withLock { kept in
      kept.append(folder.path)
      return kept.count == 1
    }
    if isFirst { atexit { ScratchFolder.kept.withLock { $0 }.forEach(EngineFolder.remove) } }
    return folder.path
  }
}
