import Jobs
import MRAID
import Testing
import WebKitRuntime

@testable import Checks

extension LiveWebKit {
  @Suite("Checks of what was measured")
  struct MeasuredCheckTests {
    /// What each check says about the creative that trips it.
    static let said: [(check: String, family: String, watch: Double, says: String)] = [
      ("missing-language", "accessibility", 0.3, "the document doesn't say which language it is in"),
      ("missing-title", "accessibility", 0.3, "the document has no title"),
      ("missing-text-alternative", "accessibility", 0.3, "has no text alternative"),
      ("unnamed-link", "accessibility", 0.3, "a#go (https://quillfeather.example/) is a link without a name"),
      ("unnamed-control", "accessibility", 0.3, "button is a control without a name"),
      ("unnamed-frame", "accessibility", 0.3, "iframe is a frame without a title"),
      ("faint-close", "accessibility", 0.3, "the close button button#close has a contrast of"),
      ("small-close", "accessibility", 0.3, "the close button button#close is 14×14 dip"),
      ("overflow", "layout", 0.3, "beyond its 300x250"),
      ("clipped-text", "layout", 0.3, "the text \"Every pen is tuned by hand until it sings\" of p#offer is cut"),
      ("small-text", "layout", 0.3, "\"Terms apply, as they always do.\" is 6.0 dip large"),
      ("missing-border", "layout", 0.3, "100 % of its edge is white and there is no border"),
      ("wrong-size-meta", "layout", 0.3, "ad.size says 250x300, and the ad draws 300x250"),
      ("endless-motion", "motion", 0.5, "the animation slide on div#nib has no end"),
      ("motion-length", "motion", 0.5, " s: strict allows 15 s"),
      ("loop-count", "motion", 0.3, "an animation has 5 loops: strict allows 3 loops"),
      ("no-end-frame", "motion", 6, "it stands on a picture of one colour"),
    ]

    @Test("each finds what it is for", arguments: said.map(\.check))
    @WebKitActor func trips(check: String) async throws {
      let row = try #require(Self.said.first { $0.check == check })
      let remarks = try await CheckCreative("\(row.family)/\(check)/trips").remarks(check, watch: row.watch)
      let message = try #require(remarks?.first?.message, "nothing was found")
      #expect(message.contains(row.says), "\(message)")
    }

    @Test("each leaves alone what is well", arguments: said.map(\.check))
    @WebKitActor func passes(check: String) async throws {
      let row = try #require(Self.said.first { $0.check == check })
      let remarks = try await CheckCreative("\(row.family)/\(check)/passes").remarks(check, watch: row.watch)
      #expect(remarks == [], "\(remarks?.map(\.message) ?? ["nothing to judge"])")
    }

    @Test(
      "flashes are counted picture by picture", .enabled(if: WebExtension.isBuilt),
      arguments: [
        ("flashing", " times in a second", Severity.error),
        ("flash-count", " flashes: strict allows 3 flashes", .error),
      ])
    @WebKitActor func flashes(check: String, says: String, severity: Severity) async throws {
      // In a time of its own no picture comes late, however busy the machine is.
      let render = TestRender(extensionDirectory: WebExtension.folder)
      let options = TestRender.Options(isolation: .process, limits: Limits(timeout: 60), clock: .virtual)
      let found = try await CheckCreative("motion/\(check)/trips").remarks(
        check, watch: 3, options: options, in: render)
      let remark = try #require(found?.first)
      #expect(remark.message.contains(says), "\(remark.message)")
      #expect(remark.severity == severity)
      let left = try await CheckCreative("motion/\(check)/passes").remarks(
        check, watch: 3, options: options, in: render)
      #expect(left == [], "\(left?.map(\.message) ?? [])")
    }

    @Test("an ad that works at rest is told from one that hardly does, however busy the machine is")
    @WebKitActor func pace() async throws {
      let busy = try #require(
        try await CheckCreative("heavyAd/heavy-ad-pace/trips").measurements(watch: 2.5).restingPace)
      let calm = try #require(
        try await CheckCreative("heavyAd/heavy-ad-pace/passes").measurements(watch: 2.5).restingPace)
      #expect(busy > 2 * calm, "\(busy), \(calm)")
    }

    @Test(
      "what was loaded is held against Chrome's limit",
      arguments: [
        ("trips", "heavy-ad-network", "it loads 4.6 MB before anybody touches it; Chrome allows 4.2 MB"),
        ("close", "heavy-ad-headroom", "of Chrome's limit for bytes from the network only 14.2 % is left"),
      ])
    @WebKitActor func network(file: String, check: String, says: String) async throws {
      let remarks = try await CheckCreative("heavyAd/heavy-ad-network/\(file)").remarks(check)
      #expect(remarks?.map(\.message).contains { $0.contains(says) } == true, "\(remarks?.map(\.message) ?? [])")
      #expect(try await CheckCreative("heavyAd/heavy-ad-network/passes").remarks(check) == [])
    }
  }
}
