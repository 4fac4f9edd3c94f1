import Core
import Foundation
internal import RenderModel
import Testing

extension ProgramTier {
  @Suite("Feed", .timeLimit(.minutes(4)))
  struct FeedTests {
    private let program: Program
    private static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Creatives").path

    init() throws { program = try Program() }

    private func call(_ out: String) -> String {
      let creatives = "'\(Self.samples)/mraid/expand-one-part' '\(Self.samples)/banner/static'"
      return "\"$GALLEY\" render \(creatives) --feed '\(Self.samples)/feed/feed.yaml' --clock virtual --out \(out)"
    }

    /// Lines of the event log without their times.
    private func log(_ out: String) throws -> [String] {
      try String(contentsOfFile: "\(program.folder)/\(out)/feed/events.ndjson", encoding: .utf8).split(separator: "\n")
        .map { line in
          let event = try JSONDecoder().decode(Event.self, from: Data(line.utf8))
          guard case .object(var detail) = event.detail else { return "\(event.name)" }
          detail["timing"] = nil
          return "\(event.source.rawValue)/\(event.name) \(JSONValue.object(detail).text)"
        }
    }

    @Test("the sample feed is gone through as its scenario says, the same way every time")
    func sample() async throws {
      for out in ["one", "two"] {
        let outcome = try await program.shell("exec \(call(out)) --timeout 120")
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
      }
      let (one, two) = (try log("one"), try log("two"))
      #expect(one == two)
      #expect(one.contains { $0.hasPrefix("feed/decision") })
    }

    @Test("every ad of a feed is judged by its slot and name, and the feed is compared with its baseline")
    func judged() async throws {
      try program.file("posts/users.json", #"[{"id": 1, "name": "Ada Byron", "username": "ada"}]"#)
      try program.file("posts/albums.json", #"[{"id": 1, "userId": 1, "title": "Engines"}]"#)
      try program.file(
        "posts/pictures.json", #"[{"id": 1, "albumId": 1, "title": "One"}, {"id": 2, "albumId": 1, "title": "Two"}]"#)
      try program.file(
        "posts/feed.yaml",
        "sources: {users: users.json, albums: albums.json, pictures: pictures.json}\nads: {first: {after: 1}, then: {every: 1}}\n"
      )
      try program.file("bad.html", "<script src=mraid.js></script><script>console.error('no sky')</script>bad")
      try program.file("good.html", "<p>good</p>")
      try program.file("late.html", "<p>late</p>")
      let feed = "--feed posts/feed.yaml --timeout 60"
      let check = try await program.shell("exec \"$GALLEY\" check bad.html good.html late.html \(feed) --out judged")
      #expect(check.output.contains("feed/ad-1/bad  "), "\(check.output)\(check.errors)")
      #expect(check.output.contains("console-error: no sky"))
      #expect(check.output.contains("feed/ad-2/good  passed"))
      #expect(check.output.contains("late.html wasn't shown: the feed requested 2 ads [slot-missing]"))
      #expect(check.code == 2)
      let record = try await program.shell("CI= exec \"$GALLEY\" baseline record good.html \(feed) --out recorded")
      #expect(record.code == 0, "\(record.output)\(record.errors)")
      try program.file("good.html", "<p style='background:red'>other</p>")
      let other = try await program.shell("exec \"$GALLEY\" baseline verify good.html \(feed) --out other")
      #expect(other.code == 1 && other.output.contains("whole-feed"), "\(other.output)\(other.errors)")
    }

    @Test(
      "what a feed doesn't take says why, and what does it instead",
      arguments: [
        ("render --explore", "explore it in a slot"), ("render --at 1", "advance: 5s"),
        ("render --shard 1/2", "a feed of its own"), ("render --measure", "measure the creative in a slot"),
        ("check --explore", "explore it in a slot"), ("check --shard 1/2", "a feed of its own"),
      ])
    func instead(call: String, hint: String) async throws {
      let outcome = try await program.shell("exec \"$GALLEY\" \(call) ad.html --feed feed.yaml")
      #expect(outcome.code == 2 && outcome.errors.contains(hint), "\(outcome.errors)")
    }

    @Test("a feed that is wrong, or missing, is refused with its line before anything is rendered")
    func refusals() async throws {
      try program.file("ad.html", "<p>ad</p>")
      try program.file("feed.yaml", "sources: {users: u, albums: a, pictures: p}\nads:\n  rotate: fast\n")
      let wrong = try await program.shell("exec \"$GALLEY\" render ad.html --feed feed.yaml")
      #expect(wrong.code == 2)
      #expect(wrong.errors.contains("feed.yaml:3: rotate must be a number, found text"))
      let missing = try await program.shell("exec \"$GALLEY\" render ad.html --feed none.yaml")
      #expect(missing.code == 2 && missing.errors.contains("can't read the feed none.yaml"))
      let check = try await program.shell("exec \"$GALLEY\" check ad.html --feed feed.yaml")
      #expect(check.code == 2)
    }
  }
}
