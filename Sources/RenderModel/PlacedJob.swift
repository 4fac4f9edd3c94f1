package import Files

extension RenderJob {
  /// What of the machine's files the job needs, for who brings them into a worker's view.
  package var files: [CarriedLine.Word] {
    let feeds = feed.map { feed in [CarriedLine.Word(.document, feed.path)] + feed.creatives.compactMap(\.files) } ?? []
    let recording = options.traffic?.folder.map { CarriedLine.Word(.creative, $0) }
    return [CarriedLine.Word(.output, output)] + [creative.files, recording].compactMap(\.self) + feeds
  }
}

extension CreativeReference {
  fileprivate var files: CarriedLine.Word? {
    guard let path else { return nil }
    let isAlone = argument == "-" || [".zip", ".js"].contains { path.lowercased().hasSuffix($0) }
    return CarriedLine.Word(isAlone ? .alone : .creative, path)
  }
}

/// A job as a worker does it that sees no files but those of its jobs.
package struct PlacedJob: Sendable {
  /// With its files where the worker finds them; what wasn't brought keeps its path, which leads nowhere then.
  package private(set) var job: RenderJob
  /// What the caller calls the places where they are: each brought folder's own path.
  package let names: [String: String]

  /// Takes in where the files are; of words that say no place nothing comes.
  package init(_ job: RenderJob, _ words: [CarriedLine.Word]) {
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
