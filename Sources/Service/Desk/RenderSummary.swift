internal import Checks
internal import Core
internal import FoundationEssentials
internal import MRAID
internal import RenderModel

/// What lists and pages show of an outcome without opening its files.
struct RenderSummary: Hashable, Sendable, Codable {
  /// A picture by its name in the result; sizes in physical pixels.
  struct Picture: Hashable, Sendable, Codable {
    let name: String
    let state: String
    let width: Int
    let height: Int
    /// Whether there is one of the ad alone as well, called `NAME-ad`.
    var hasAd: Bool?
  }
  /// What checks say, in numbers, and which networks take it.
  struct Verdict: Hashable, Sendable, Codable {
    let status: CreativeReport.Status
    let errors: Int
    let warnings: Int
    let notes: Int
    let accepted: [String]
    let refused: [String]
  }
  /// How far exploring came; no coverage for an address.
  struct Explored: Hashable, Sendable, Codable {
    let states: Int
    let actions: Int
    let coverage: Int?
  }

  let outcome: RenderRecord.Outcome
  let states: [String]
  var pictures: [Picture]
  var verdict: Verdict?
  var explored: Explored?
  var filmstrip: RenderRecord.Filmstrip?

  init(_ record: RenderRecord) {
    outcome = record.outcome
    states = record.states.map(\.rawValue)
    filmstrip = record.filmstrip
    pictures = record.screenshots.map {
      Picture(name: $0.name, state: $0.state.rawValue, width: $0.width, height: $0.height)
    }
  }

  var text: String? { JSONText.plain(self) }

  static func read(_ text: String?) -> RenderSummary? {
    text.flatMap { try? JSONDecoder().decode(RenderSummary.self, from: Data($0.utf8)) }
  }
}

extension RenderSummary.Verdict {
  init(_ report: CreativeReport) {
    status = report.status
    errors = report.findings.count { $0.severity == .error }
    warnings = report.findings.count { $0.severity == .warning }
    notes = report.findings.count { $0.severity == .note }
    accepted = report.acceptance.filter(\.accepted).map(\.profile)
    refused = report.acceptance.filter { !$0.accepted }.map(\.profile)
  }
}

/// How a render ended, and whom to tell.
struct Outcome: Sendable {
  let id: String
  let ending: Ending
  /// The address to tell; nil for the one in the request, if any.
  let callback: String?
}

/// Outcomes that couldn't be written down, as on a full disk: kept in memory until they can, tried less and less often.
struct OutcomeShelf: Sendable {
  /// Why the latest attempt failed.
  private var fault: Fault?
  private var kept: [Outcome] = []
  private var next = ContinuousClock.now
  private var pause = OutcomeShelf.shortest
  private static let shortest = Duration.seconds(1)
  /// The longest pause between two attempts.
  static let longest = Duration.seconds(30)

  var count: Int { kept.count }

  /// Why a render's outcome couldn't be written down; nil when it was, or has none.
  func fault(of id: String) -> Fault? { kept.contains { $0.id == id } ? fault : nil }

  /// Keeps one; the first that a render ended with counts.
  mutating func keep(_ outcome: Outcome, because fault: Fault, at instant: ContinuousClock.Instant) {
    if kept.isEmpty { (next, pause) = (instant + Self.shortest, Self.shortest) }
    if !kept.contains(where: { $0.id == outcome.id }) { kept.append(outcome) }
    self.fault = fault
  }

  /// What is worth an attempt, in the order in which it ended.
  func due(at instant: ContinuousClock.Instant) -> [Outcome] { instant < next ? [] : kept }

  /// It still can't be written down.
  mutating func wait(because fault: Fault, at instant: ContinuousClock.Instant) {
    self.fault = fault
    pause = min(pause * 2, Self.longest)
    next = instant + pause
  }

  /// It is written down.
  mutating func remove(_ id: String) {
    kept.removeAll { $0.id == id }
    pause = Self.shortest
  }
}
