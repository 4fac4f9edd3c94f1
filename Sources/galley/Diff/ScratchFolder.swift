internal import FoundationEssentials
internal import Jobs

/// A folder for files that nobody needs when the command is done.
final class ScratchFolder: Sendable {
  let path: String

  init() throws(Fault) {
    path = FileManager.default.temporaryDirectory.appending(path: "galley-diff-\(UUID().uuidString)").path(
      percentEncoded: false)
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw .engine("output-failed", "\(path) can't be made")
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
