internal import Core
internal import Pixels
internal import RenderModel

/// Output of `galley diff --json`: Schemas/diff.schema.json.
package struct DiffDocument: Encodable {
  struct Result: Encodable {
    let name: String
    let verdict: Verdict
    let screenshots: [ScreenshotDocument]
    let events: Events?
    let record: [ResultVerdict.RecordChange]?
    let files: [FileChange]?
    let problems: [String]?

    init(_ result: ResultVerdict) {
      (name, verdict) = (result.name, result.verdict)
      screenshots = result.pictures.map(ScreenshotDocument.init)
      events = result.events.map(Events.init)
      record = result.record.isEmpty ? nil : result.record
      files = result.files.flatMap { $0.changes.isEmpty ? nil : $0.changes }
      problems = result.problems.isEmpty ? nil : result.problems
    }
  }

  struct Events: Encodable {
    let first: Int
    let second: Int
    let findings: [EventFinding]

    init(_ events: EventComparison) {
      (first, second, findings) = (events.firstCount, events.secondCount, events.findings)
    }
  }

  /// The version of this document's shape.
  private let schema = Galley.schema
  /// Galley's version.
  private let galley = Galley.version
  private let first: String
  private let second: String
  private let verdict: Verdict
  private let exitCode: Int32
  private let results: [Result]

  /// `first` and `second` as the caller wrote them.
  package init(first: String, second: String, results: [ResultVerdict], exitCode: Int32) {
    (self.first, self.second, self.exitCode) = (first, second, exitCode)
    let pending = results.map(\.verdict).filter { $0 != .same }
    verdict = pending.isEmpty ? .same : pending.allSatisfy { $0 == .filesChanged } ? .filesChanged : .different
    self.results = results.map(Result.init)
  }
}

/// One screenshot of `galley diff --json`.
struct ScreenshotDocument: Encodable {
  struct Box: Encodable {
    let x, y, width, height: Int
    init(_ rect: PixelRect) { (x, y, width, height) = (rect.x, rect.y, rect.width, rect.height) }
  }
  struct Size: Encodable {
    let width, height: Int
    init(_ size: PixelSize) { (width, height) = (size.width, size.height) }
  }
  struct Shift: Encodable {
    let x, y: Int
  }
  struct Region: Encodable {
    let box: Box
    let differing: Int
    let shift: Shift?
  }
  struct Densest: Encodable {
    let box: Box
    let differing: Int
  }
  struct Difference: Encodable {
    let first: Size
    let second: Size
    let differing: Int
    let antialiased: Int
    let shifted: Int
    let ratio: Double
    let largest: Double
    let mean: Double
    let box: Box?
    let regions: [Region]
    let regionCount: Int
    let densest: Densest?
  }

  /// Maximum number of regions in the document; the largest ones are kept.
  private static let most = 100

  private let name: String
  private let verdict: Verdict
  private let first: String?
  private let second: String?
  private let difference: Difference?
  private let problem: String?
  private let written: [String: String]?

  init(_ screenshot: ScreenshotVerdict) {
    (name, verdict, first, second) = (screenshot.name, screenshot.verdict, screenshot.first, screenshot.second)
    problem = screenshot.problem
    written = screenshot.written.isEmpty ? nil : screenshot.written
    difference = screenshot.difference.map(Self.difference)
  }

  private static func difference(_ found: ImageDifference) -> Difference {
    Difference(
      first: Size(found.first), second: Size(found.second), differing: found.differingCount,
      antialiased: found.antialiasedCount, shifted: found.shiftedCount, ratio: found.ratio, largest: found.largest,
      mean: found.mean, box: found.box.map(Box.init),
      regions: found.regions.prefix(most).map { region in
        Region(
          box: Box(region.box), differing: region.differing, shift: region.shift.map { Shift(x: $0.x, y: $0.y) })
      },
      regionCount: found.regions.count,
      densest: found.densest.map { Densest(box: Box($0.box), differing: $0.differing) })
  }
}
