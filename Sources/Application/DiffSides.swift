package import Comparison
package import Core
internal import FoundationEssentials

/// What the caller wants compared: two files or two folders.
package struct DiffSides {
  private let first: String
  private let second: String

  package init(first: String, second: String) { (self.first, self.second) = (first, second) }

  /// Compares both sides, whatever they are.
  package func compare(_ comparer: ResultComparer) async throws(Fault) -> [ResultVerdict] {
    switch (try Self.isFolder(first), try Self.isFolder(second)) {
    case (true, true):
      return try await comparer.compare(
        try ResultTree.results(below: first), try ResultTree.results(below: second))
    case (false, false): return [try await pictures(comparer)]
    case (true, false): throw .request("diff-mixed", "\(first) is a folder and \(second) a file")
    case (false, true): throw .request("diff-mixed", "\(first) is a file and \(second) a folder")
    }
  }

  private func pictures(_ comparer: ResultComparer) async throws(Fault) -> ResultVerdict {
    let name = second.split(separator: "/").last.map(String.init) ?? second
    let screenshot = try await comparer.screenshot(name, first, second, of: "")
    if let problem = screenshot.problem { throw .request("diff-unreadable", problem) }
    var result = ResultVerdict(name: "")
    result.pictures = [screenshot]
    return result
  }

  private static func isFolder(_ path: String) throws(Fault) -> Bool {
    guard FileManager.default.fileExists(atPath: path) else { throw .request("file-missing", "there is no \(path)") }
    return AbsolutePath.isFolder(path)
  }
}
