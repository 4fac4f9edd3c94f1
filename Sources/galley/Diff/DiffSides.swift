internal import Comparison
internal import Glibc
internal import Jobs

/// What the caller wants compared: two files or two folders.
struct DiffSides {
  let first: String
  let second: String

  /// Compares both sides, whatever they are.
  func compare(_ comparer: ResultComparer) async throws(Fault) -> [ResultVerdict] {
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
    let picture = try await comparer.picture(name, first, second, of: "")
    if let problem = picture.problem { throw .request("diff-unreadable", problem) }
    var result = ResultVerdict(name: "")
    result.pictures = [picture]
    return result
  }

  private static func isFolder(_ path: String) throws(Fault) -> Bool {
    var facts = stat()
    guard stat(path, &facts) == 0 else { throw .request("no-such-file", "there is no \(path)") }
    return facts.st_mode & S_IFMT == S_IFDIR
  }
}
