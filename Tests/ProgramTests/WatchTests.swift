import Foundation
import Testing

extension ProgramTier {
  /// How long an ad is left alone before its render ends.
  @Suite("Watching", .timeLimit(.minutes(2))) struct WatchTests {
    private let program: Program

    init() throws {
      program = try Program()
      try program.file("late.html", "<p>ad</p><script>setTimeout(() => console.log('late'), 1500)</script>")
    }

    @Test("an ad that never speaks to the bridge is watched for as long as asked, and no longer unless asked")
    func plainAds() async throws {
      for (options, isLate) in [("--watch 3", true), ("", false), ("--watch 3 --clock virtual", true)] {
        #expect(try await program.render("late.html \(options)").code == 0)
        let log = try String(contentsOfFile: program.folder + "/out/late/events.ndjson", encoding: .utf8)
        #expect(log.contains(#""text":"late""#) == isLate, "\(options)")
      }
    }
  }
}
