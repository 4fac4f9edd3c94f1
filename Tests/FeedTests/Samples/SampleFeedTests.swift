import AdExperience
import Feed
import Foundation
import Jobs
import Testing

/// The feed in `Creatives/feed`.
@Suite struct SampleFeedTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Creatives/feed")

  private func text(_ name: String) throws -> String {
    try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
  }

  @Test func `its sources make twelve posts whose pictures are there`() throws {
    let spec = try FeedFile.parse(text("feed.yaml"), source: "feed.yaml")
    let loader = PostLoader(sources: spec.sources) { name in
      Promise { $0.settle(Result { Array(try text(name).utf8) }) }
    }
    let posts = try #require(try loader.posts().result?.get())
    #expect(posts.count == 12)
    for post in posts {
      #expect(!post.text.isEmpty)
      #expect(try text(#require(post.picture)).hasPrefix("<svg"))
    }
  }

  @Test func `it has the founding rules, and everything there can be in a feed`() throws {
    let spec = try FeedFile.parse(text("feed.yaml"), source: "feed.yaml")
    #expect(spec.ads == AdRules())
    let model = spec.assembly(of: Sample.posts(12)).contents(in: FeedSituation(kind: spec.kind)).model
    #expect(model.positions(of: .ad) == [4, 11] && model.positions(of: .notification) == [1])
    #expect(model.positions(of: .survey) == [8])
  }

  @Test func `its scenario can be read`() throws {
    let scenario = try ScenarioParser.parse(text("feed.scenario.yaml"), source: "feed.scenario.yaml")
    #expect(scenario.steps.contains { $0.action == .app(.launch) })
  }
}
