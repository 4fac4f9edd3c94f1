import Foundation
import Jobs
import MRAID
import Testing

extension ProgramTier {
  /// Samples that tell the time in the ways of animation libraries, in a time of their own.
  @Suite(.timeLimit(.minutes(1))) struct LibraryClockTests {
    private let program: Program

    init() throws { program = try Program() }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Creatives/libraries").path()

    /// What each says before five seconds are over, at which second of its motion.
    private static let marks: [String: [(second: Double, name: String)]] = [
      "ticker": [(1, "headline"), (1.3, "flake"), (1.55, "flake"), (1.8, "flake"), (2.05, "flake")],
      "timeout-ticker": (1...4).map { (Double($0), "second \($0)") },
      "visible": [(2, "turn 1"), (4, "turn 2")],
      "carousel": [
        (0.6, "slide"), (1.3, "slid"), (1.9, "slide"), (2.6, "slid"), (3.2, "slide"), (3.9, "slid"), (4.5, "slide"),
      ],
      "svg-frames": [(3, "loop")],
    ]

    @Test func eachWayOfTellingTheTimeTellsTheSame() async throws {
      let outcome = try await program.render("'\(Self.folder)'/* --at 4.9 --json --timeout 60")
      #expect(try outcome.document().results.map(\.outcome) == .init(repeating: .completed, count: Self.marks.count))
      for (name, expected) in Self.marks {
        let told = try marks(of: name)
        #expect(told.map(\.name) == expected.map(\.name), "\(name)")
        for (mark, due) in zip(told, expected) {
          // Two frames: one that the motion begins with, and one that the instant waits for; a ticker's own are longer.
          let frame = name == "timeout-ticker" ? 1.0 / 24 : 1.0 / 60
          #expect((-0.002...2 * frame).contains(mark.second - due.second), "\(name): \(mark.name) at \(mark.second) s")
        }
      }
    }

    private func marks(of name: String) throws -> [(second: Double, name: String)] {
      let log = try String(contentsOfFile: "\(program.folder)/out/\(name)/events.ndjson", encoding: .utf8)
      let events = try log.split(separator: "\n").map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
      return events.compactMap { event in
        guard event.name == "console", case .string(let text)? = event.detail["text"] else { return nil }
        let words = text.split(separator: " ", maxSplits: 2)
        return words.first == "mark" ? Double(words[1]).map { ($0, String(words[2])) } : nil
      }
    }
  }
}
