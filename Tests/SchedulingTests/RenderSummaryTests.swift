import Checks
import Core
import Foundation
import MRAID
import RenderModel
import Testing

@testable import Scheduling

/// Summary of a render in lists.
@Suite struct RenderSummaryTests {
  private func summary(_ shots: [(name: String, state: MRAIDState, share: Double?)]) -> RenderSummary {
    let screenshots = shots.map { shot in
      RenderRecord.Screenshot(
        name: shot.name, path: "screenshots/\(shot.name).png", state: shot.state, t: 1, width: 9, height: 9,
        contentShare: shot.share)
    }
    return RenderSummary(
      RenderRecord(
        creative: .init(path: "ad"), device: .init(name: "custom", width: 9, height: 9, scale: 1, renderScale: 1),
        outcome: .completed, screenshots: screenshots))
  }

  @Test func theScreenshotOfTheFirstStateWithMostToSeeStandsForTheAd() {
    let faded = summary([("001-default", .default, 0), ("002-end", .default, 0.4), ("003-expanded", .expanded, 0.9)])
    #expect(faded.thumbnail == "002-end")
    #expect(summary([("001-default", .default, 0.4), ("002-end", .default, 0.4)]).thumbnail == "001-default")
    #expect(summary([("001-default", .default, nil)]).thumbnail == "001-default")
    #expect(summary([]).thumbnail == nil)
  }

  @Test func aVerdictNamesTheNetworksByTheirAnswers() throws {
    let record = RenderRecord(
      creative: .init(path: "ad"), device: .init(name: "custom", width: 9, height: 9, scale: 1, renderScale: 1),
      outcome: .completed)
    let rule = CreativeReport.NotTried(check: "popup", needs: [.touch])
    let verdict = RenderSummary.Verdict(
      CreativeReport(
        name: "ad", folder: "ad", record: record, status: .passed,
        acceptance: [
          .init(profile: "a"), .init(profile: "b", refusedBy: ["popup"], notTried: [rule]),
          .init(profile: "c", notTried: [rule]),
        ]))
    #expect(verdict.accepted == ["a"])
    #expect(verdict.refused == ["b"])
    #expect(verdict.notTried == ["c"])
  }

  @Test func aVerdictOnAPlayableHasTheAnswersOfTheNetworksThatHaveToAcceptIt() throws {
    let record = RenderRecord(
      creative: .init(path: "ad"), device: .init(name: "custom", width: 9, height: 9, scale: 1, renderScale: 1),
      outcome: .completed)
    func render(_ host: String, _ status: CreativeReport.Status, isAsked: Bool) -> CreativeReport {
      var row = CreativeReport.Acceptance(profile: host, refusedBy: ["popup"])
      row.asked = isAsked ? .name : nil
      var report = CreativeReport(
        name: "ad/\(host)", folder: "ad/\(host)", record: record, status: status, acceptance: [row])
      report.build = "ad"
      return report
    }
    let report = CheckReport(
      galley: "1", rules: [], profiles: ["meta", "unity"].map { .init(id: $0, title: $0) },
      creatives: [render("unity", .passed, isAsked: false), render("meta", .failed, isAsked: true)])
    let verdict = try #require(RenderSummary.Verdict(report))
    #expect(verdict.status == .failed && verdict.refused == ["meta"] && verdict.accepted == [])
    let empty = CheckReport(galley: "1", rules: [], profiles: [], creatives: [])
    #expect(RenderSummary.Verdict(empty) == nil)
  }

  @Test func summariesOfOlderVersionsAreRead() throws {
    let text = try #require(summary([("001-default", .default, 0.4)]).text)
    guard case .object(var members) = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else {
      Issue.record("a summary is an object")
      return
    }
    #expect(members.removeValue(forKey: "thumbnail") == "001-default")
    let older = try #require(RenderSummary.read(JSONValue.object(members).text))
    #expect(older.thumbnail == nil)
    #expect(older.pictures.map(\.name) == ["001-default"])
  }
}
