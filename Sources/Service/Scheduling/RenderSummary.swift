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
  /// The name of the picture that stands for the ad in lists: of those in its first state the one with most to see.
  ///
  /// Nil in summaries of older versions and without a picture.
  let thumbnail: String?
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
    thumbnail = record.thumbnail?.name
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
