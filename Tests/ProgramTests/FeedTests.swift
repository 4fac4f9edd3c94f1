import Foundation
internal import Jobs
import MRAID
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
