package import Checks
internal import Core
internal import FoundationEssentials
internal import MRAID
package import RenderModel

/// Summary of an outcome for lists and pages, without the result's files.
package struct RenderSummary: Hashable, Sendable, Codable {
  /// A screenshot by its name in the result; sizes in physical pixels.
  package struct Picture: Hashable, Sendable, Codable {
    package let name: String
    package let state: String
    package let width: Int
    package let height: Int
    /// True if there is a screenshot of the ad alone as well, called `NAME-ad`; nil if not.
    package var hasAd: Bool?
  }
  /// Name of the screenshot that represents the ad in lists: of those in its first state the one with the most content.
  ///
  /// Nil in summaries of older versions and without a screenshot.
  package let thumbnail: String?
  /// Number of findings of the checks, and the networks by their answers.
  package struct Verdict: Hashable, Sendable, Codable {
    package let status: CreativeReport.Status
    package let errors: Int
    let warnings: Int
    let notes: Int
    package let accepted: [String]
    package let refused: [String]
    /// Networks whose rules weren't all tried; nil in summaries of older versions.
    package let notTried: [String]?
  }
  /// Extent of exploring; `coverage` in percent, nil for an address.
  package struct Explored: Hashable, Sendable, Codable {
    package let states: Int
    package let actions: Int
    let coverage: Int?
  }

  package let outcome: RenderRecord.Outcome
  package let states: [String]
  package var pictures: [Picture]
  package var verdict: Verdict?
  package var explored: Explored?
  package var filmstrip: RenderRecord.Filmstrip?
  /// Assumptions about the creative, one sentence each, at most four; nil if there are none, and in summaries of older
  /// versions.
  package var assumed: [String]?

  package init(_ record: RenderRecord) {
    outcome = record.outcome
    states = record.states.map(\.rawValue)
    filmstrip = record.filmstrip
    assumed = record.assumed.isEmpty ? nil : Array(record.assumed.prefix(4))
    thumbnail = record.thumbnail?.name
    pictures = record.screenshots.map {
      Picture(name: $0.name, state: $0.state.rawValue, width: $0.width, height: $0.height)
    }
  }

  package var text: String? { JSONText.plain(self) }

  /// True if its names are safe as paths within the result's folder.
  package var isSound: Bool {
    let names = pictures.map(\.name) + [thumbnail].compactMap(\.self)
    return pictures.count <= 10_000 && names.allSatisfy { AbsolutePath.isPlainName($0) }
      && (filmstrip.map { AbsolutePath.isPlain($0.sheet) } ?? true)
  }

  package static func read(_ text: String?) -> RenderSummary? {
    text.flatMap { try? JSONDecoder().decode(RenderSummary.self, from: Data($0.utf8)) }
  }
}

extension RenderSummary.Verdict {
  /// Summarizes a report: of a playable all hosts, with the answers of the networks that have to accept it; nil without
  /// a verdict.
  package init?(_ report: CheckReport) {
    guard let first = report.creatives.first else { return nil }
    guard first.build != nil else {
      self.init(first)
      return
    }
    let worst: [CreativeReport.Status] = [.broken, .timedOut, .failed]
    let findings = report.creatives.flatMap(\.findings)
    let answers = PlayableMatrix(report).asked.map(\.cell.answer)
    let names = { (verdict: CreativeReport.Acceptance.Verdict) in
      answers.filter { $0.verdict == verdict }.map(\.profile)
    }
    self.init(
      status: worst.first { status in report.creatives.contains { $0.status == status } } ?? .passed,
      errors: findings.count { $0.severity == .error }, warnings: findings.count { $0.severity == .warning },
      notes: findings.count { $0.severity == .note }, accepted: names(.accepted), refused: names(.refused),
      notTried: names(.notTried))
  }

  package init(_ report: CreativeReport) {
    status = report.status
    errors = report.findings.count { $0.severity == .error }
    warnings = report.findings.count { $0.severity == .warning }
    notes = report.findings.count { $0.severity == .note }
    accepted = report.rows(.accepted).map(\.profile)
    refused = report.rows(.refused).map(\.profile)
    notTried = report.rows(.notTried).map(\.profile)
  }
}
