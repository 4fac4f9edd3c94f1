import Core
import Foundation
import MRAID
import RenderModel
@testable import Service
import Testing

/// What lists show of a render.
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
