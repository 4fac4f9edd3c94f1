internal import Comparison
internal import Jobs
internal import Pixels
internal import Planning

/// Compares what is on disk, and draws what differs.
struct RenderPair: Sendable {
  /// The folder that pictures of differences go to.
  let pictures: String

  private var comparer: ResultComparer {
    let pictures = DiffPictures(folder: pictures)
    return ResultComparer(options: ComparisonOptions(), budget: DifferenceBudget()) { (picture, _) throws(Fault) in
      try pictures.write(&picture, below: "")
    }
  }

  /// Two results' folders.
  func results(_ first: String, _ second: String) async throws(Fault) -> [ResultVerdict] {
    try await comparer.compare(try Self.listing(first), try Self.listing(second))
  }

  /// Two PNG files.
  func files(_ first: String, _ second: String) async throws(Fault) -> ResultVerdict {
    let picture = try await comparer.picture("picture.png", first, second, of: "")
    if let problem = picture.problem { throw .creative("diff-unreadable", problem) }
    var result = ResultVerdict(name: "")
    result.pictures = [picture]
    return result
  }

  /// A result and the baseline recorded under a key.
  func baseline(_ recorded: RecordedBaseline, _ render: BaselineRender) async throws(Fault) -> ResultVerdict {
    try await recorded.compare(render, comparer)
  }

  /// The result that a folder itself is.
  private static func listing(_ folder: String) throws(Fault) -> [ResultListing] {
    try ResultTree.results(below: folder).filter(\.name.isEmpty)
  }
}
