package import Files

extension RenderJob {
  /// Paths of the files that the job needs, for the program that brings them into a worker's view.
  package var files: [BrokeredLine.Word] {
    let feeds =
      feed.map { feed in [BrokeredLine.Word(.document, feed.path)] + feed.creatives.compactMap(\.files) } ?? []
    let recording = options.traffic?.folder.map { BrokeredLine.Word(.creative, $0) }
    return [BrokeredLine.Word(.output, output)] + [creative.files, recording].compactMap(\.self) + feeds
  }
}

extension CreativeReference {
  fileprivate var files: BrokeredLine.Word? {
    guard let path else { return nil }
    let isAlone = argument == "-" || [".zip", ".js"].contains { path.lowercased().hasSuffix($0) }
    return BrokeredLine.Word(isAlone ? .alone : .creative, path)
  }
}

/// A job with the paths that are valid in a worker that sees no files except those of its jobs.
package struct PlacedJob: Sendable {
  /// The job with the paths of its brought files; a file that wasn't brought keeps its path, where nothing is found.
  package private(set) var job: RenderJob
  /// The caller's path of each brought folder, by its place in the worker's view.
  package let names: [String: String]

  /// Replaces the job's paths by the places in the words; words without a place are ignored.
  package init(_ job: RenderJob, _ words: [BrokeredLine.Word]) {
    let brought = words.filter { !$0.place.isEmpty }
    self.job = job
    names = Dictionary(
      brought.filter { $0.kind == .name }.map { ($0.place, $0.path) }, uniquingKeysWith: { $1 })
    let places = Dictionary(
      brought.filter { $0.kind != .name && $0.kind != .output }.map { ($0.path, $0.place) }, uniquingKeysWith: { $1 })
    if let output = brought.first(where: { $0.kind == .output }) { self.job.output = output.place }
    self.job.creative = Self.placed(job.creative, places)
    self.job.options.traffic?.folder = job.options.traffic?.folder.map { places[$0] ?? $0 }
    if let feed = job.feed {
      self.job.feed?.path = places[feed.path] ?? feed.path
      self.job.feed?.creatives = feed.creatives.map { Self.placed($0, places) }
    }
  }

  private static func placed(_ creative: CreativeReference, _ places: [String: String]) -> CreativeReference {
    var creative = creative
    creative.path = creative.path.map { places[$0] ?? $0 }
    return creative
  }
}
