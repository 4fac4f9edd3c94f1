internal import RenderModel
internal import Synchronization

/// Choice of the bodies that are read for the digests of an ad's files, so that a hostile ad can't fill the memory.
package final class FileBudget: Sendable {
  private struct State {
    /// Number of bytes that may still be read, of all files together.
    var left = 256 << 20
    /// Paths of the files that were chosen.
    var known: Set<String> = []
  }

  /// Maximum number of bytes of a file whose digest is recorded.
  private static let largestFile = 32 << 20
  private let state = Mutex(State())

  package init() {}

  /// Indicates if a file's body is to be read, and notes that it is: each path once.
  ///
  /// - Parameter bytes: length that the answer states; negative if it states none.
  package func takes(_ path: String, bytes: Int) -> Bool {
    state.withLock { state in
      guard state.left > 0, bytes <= min(Self.largestFile, state.left), state.known.count < DeliveredFiles.mostFiles,
        state.known.insert(path).inserted
      else { return false }
      state.left -= max(0, bytes)
      return true
    }
  }

  /// Indicates if a body that was read isn't too long, and counts the bytes that its answer didn't state.
  package func keeps(_ count: Int, stated bytes: Int) -> Bool {
    state.withLock { $0.left -= max(0, count - max(0, bytes)) }
    return count <= Self.largestFile
  }
}
