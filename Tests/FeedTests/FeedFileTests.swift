import AdManager
import Core
import Feed
import Foundation
import RenderModel
import Testing

@Suite struct FeedFileTests {
  private static let sources = "sources: {users: u.json, albums: a.json, pictures: p.json}\n"

  private func message(_ text: String) -> String? {
    do throws(Fault) {
      _ = try FeedFile.parse(text, source: "feed.yaml")
      return nil
    } catch {
      return error.code == "feed-invalid" ? error.message : "\(error)"
    }
  }

  @Test func `sources are enough for a feed`() throws {
    let spec = try FeedFile.parse(Self.sources, source: "f")
    #expect(spec.providers.isEmpty && spec.ads == nil && spec.history == FeedHistory())
    #expect(spec.sources == FeedSources(users: "u.json", albums: "a.json", images: "p.json"))
  }

  @Test func `every rule can be written down`() throws {
    let text =
      Self.sources + """
        title: Following
        kind: subscriptions
        posts: 12
        ads: {first: {after: 2, as: top}, then: {every: 4, as: more}, size: 320x50, distance: 80, rotate: 10}
        survey: {after: 6, question: Well?, answers: [Yes, No]}
        notification: {kinds: [subscriptions], title: Hello, text: You, button: Go, again: {days: 2, launches: 3}}
        features: {survey: false}
        requests: {tries: 2, delay: 0.25, token: abc}
        history: {launches: 7, day: 9, version: 1.10, notification: {outcome: dismissed, launch: 3, day: 2, version: 1.9}}
        """
    let spec = try FeedFile.parse(text, source: "f")
    #expect(
      spec.ads
        == AdRules(
          firstAfter: 2, firstIdentifier: "top", thenEvery: 4, thenIdentifier: "more",
          size: Size(width: 320, height: 50),
          distance: 80, rotation: 10))
    #expect(spec.disabled == [.survey] && spec.postLimit == 12 && spec.kind == "subscriptions")
    #expect(spec.requests.backOff.attempts == 2 && spec.requests.backOff.first == 250 && spec.requests.token == "abc")
    #expect(spec.history.version == "1.10" && spec.history.launches == 7)
    #expect(spec.history.encounter == NotificationRecord(.dismissed, launch: 3, day: 2, version: "1.9"))
    #expect(spec.providers.map(\.type) == [.ad, .survey, .notification])
  }

  @Test func `ads need no follower and no rotation`() throws {
    let spec = try FeedFile.parse(Self.sources + "ads: {then: false, rotate: false}", source: "f")
    #expect(spec.ads?.thenEvery == nil && spec.ads?.rotation == nil)
  }

  @Test(arguments: [
    ("title: x", "feed.yaml:1: the feed has no sources"),
    ("sources: {users: u.json}", "feed.yaml:1: sources has no albums"),
    ("\nads:\n  first: {afte: 3}", "feed.yaml:4: unknown key \"afte\" in first; did you mean after?"),
    ("\nads:\n  size: wide", "feed.yaml:4: size must be like 300x250, each side from 1 to 2000"),
    ("\nads:\n  first: {after: 0}", "feed.yaml:4: after must be from 1 to 10000, found 0"),
    ("\nads: {then: {every: 1.5}}", "feed.yaml:3: every must be a whole number, found 1.5"),
    ("\nnotification: {title: x}", "feed.yaml:3: notification needs kinds: [subscriptions]"),
    ("\nfeatures:\n  ads: off", "feed.yaml:4: ads must be true or false, found text"),
    ("\nhistory:\n  launches: 2\n  notification: {outcome: dismised}", "feed.yaml:5: unknown outcome \"dismised\""),
    (
      "\nhistory:\n  launches: 2\n  notification: {outcome: ignored, launch: 3}",
      "feed.yaml:5: launch must be from 1 to 2"
    ),
    ("\nsurvey:\n  answers: [a]", "feed.yaml:4: survey needs a question"),
    ("\nads: [", "feed.yaml:3: invalid YAML"),
  ])
  func `what is wrong with a feed file names its line`(text: String, expected: String) {
    let whole = text.hasPrefix("\n") ? Self.sources + text : text
    #expect(message(whole)?.hasPrefix(expected) == true, "\(message(whole) ?? "nothing")")
  }
}

/// The feed in `Creatives/feed`.
@Suite struct SampleFeedTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Creatives/feed")

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
      #expect(try text(#require(post.image)).hasPrefix("<svg"))
    }
  }

  @Test func `it has the founding rules, and everything there can be in a feed`() throws {
    let spec = try FeedFile.parse(text("feed.yaml"), source: "feed.yaml")
    #expect(spec.ads == AdRules())
    let model = spec.assembly(of: Sample.posts(12)).contents(in: FeedContext(kind: spec.kind)).model
    #expect(model.positions(of: .ad) == [4, 11] && model.positions(of: .notification) == [1])
    #expect(model.positions(of: .survey) == [8])
  }

  @Test func `its scenario can be read`() throws {
    let scenario = try ScenarioParser.parse(text("feed.scenario.yaml"), source: "feed.scenario.yaml")
    #expect(scenario.steps.contains { $0.action == .app(.launch) })
  }
}
