import Core
import Engine
import Foundation
import RenderModel
import Testing
import WebKitRuntime

@testable import Checks

extension LiveWebKit {
  @Suite("Checks of what was measured")
  struct MeasuredCheckTests {
    /// Message of each check about the creative that trips it.
    static let said: [(check: String, family: String, watch: Double, says: String)] = [
      ("missing-language", "accessibility", 0.3, "the document doesn't declare its language"),
      ("missing-title", "accessibility", 0.3, "the document has no title"),
      ("missing-text-alternative", "accessibility", 0.3, "has no text alternative"),
      ("unnamed-link", "accessibility", 0.3, "a#go (https://quillfeather.example/) is a link without a name"),
      ("unnamed-control", "accessibility", 0.3, "button is a control without a name"),
      ("unnamed-frame", "accessibility", 0.3, "iframe is a frame without a title"),
      ("faint-close", "accessibility", 0.3, "the close button button#close has a contrast of"),
      ("small-close", "accessibility", 0.3, "the close button button#close is 14×14 dip"),
      ("overflow", "layout", 0.3, "exceeds its 300x250 by "),
      ("clipped-text", "layout", 0.3, "the text \"Every pen is tuned by hand until it sings\" of p#offer is clipped"),
      ("small-text", "layout", 0.3, "\"Terms apply, as they always do.\" has a size of 6.0 dip"),
      ("missing-border", "layout", 0.3, "100 % of the ad's edge is white and there is no border"),
      ("wrong-size-meta", "layout", 0.3, "ad.size is 250x300, but the ad draws 300x250"),
      ("endless-motion", "motion", 0.5, "the animation slide on div#nib has no end"),
      ("motion-length", "motion", 0.5, " s: strict allows 15 s"),
      ("loop-count", "motion", 0.3, "an animation has 5 loops: strict allows 3 loops"),
      ("no-end-frame", "motion", 6, "the ad stops on a frame of one colour"),
    ]

    @Test("each finds what it is for", arguments: said.map(\.check))
    @EngineActor func trips(check: String) async throws {
      let row = try #require(Self.said.first { $0.check == check })
      let issues = try await CheckCreative("\(row.family)/\(check)/trips").issues(check, watch: row.watch)
      let message = try #require(issues?.first?.message, "nothing was found")
      #expect(message.contains(row.says), "\(message)")
    }

    @Test("each leaves alone what is well", arguments: said.map(\.check))
    @EngineActor func passes(check: String) async throws {
      let row = try #require(Self.said.first { $0.check == check })
      let issues = try await CheckCreative("\(row.family)/\(check)/passes").issues(check, watch: row.watch)
      #expect(issues == [], "\(issues?.map(\.message) ?? ["nothing to judge"])")
    }

    @Test("a loading sign that goes while the ad is watched isn't motion without an end; what begins then is")
    @EngineActor func loadingSign() async throws {
      let goes = try await CheckCreative("motion/endless-motion/loads").issues("endless-motion", watch: 1.5)
      #expect(goes == [], "\(goes?.map(\.message) ?? ["nothing to judge"])")
      let comes = try await CheckCreative("motion/endless-motion/begins").issues("endless-motion", watch: 1.5)
      #expect(comes?.map(\.message) == ["the animation sway on div#quill has no end"])
    }

    @Test("what the edge of a page or frame that scrolls cuts through isn't cut for good; another edge's cut is")
    @EngineActor func scrolledText() async throws {
      let scrolls = try await CheckCreative("layout/clipped-text/scrolls").issues("clipped-text")
      #expect(scrolls == [], "\(scrolls?.map(\.message) ?? ["nothing to judge"])")
      let cut = try await CheckCreative("layout/clipped-text/scrolls-trips").issues("clipped-text")
      #expect(cut?.count == 1, "\(cut?.map(\.message) ?? ["nothing to judge"])")
      #expect(cut?.first?.message.contains("p#offer is clipped") == true)
    }

    @Test(
      "flashes are counted picture by picture",
      arguments: [
        ("flashing", " times in a second", Severity.error),
        ("flash-count", " flashes: strict allows 3 flashes", .error),
      ])
    @EngineActor func flashes(check: String, says: String, severity: Severity) async throws {
      // In a time of its own no picture comes late, however busy the machine is.
      let render = TestRender(extensionDirectory: WebExtension.folder)
      let options = TestRender.Options(isolation: .process, limits: Limits(timeout: 60), clock: .virtual)
      let found = try await CheckCreative("motion/\(check)/trips").issues(
        check, watch: 3, options: options, in: render)
      let issue = try #require(found?.first)
      #expect(issue.message.contains(says), "\(issue.message)")
      #expect(issue.severity == severity)
      let left = try await CheckCreative("motion/\(check)/passes").issues(
        check, watch: 3, options: options, in: render)
      #expect(left == [], "\(left?.map(\.message) ?? [])")
    }

    @Test("an ad that opens half a minute later is seen doing it, and one that only changes its words isn't told")
    @EngineActor func late() async throws {
      let render = TestRender(extensionDirectory: WebExtension.folder)
      let options = TestRender.Options(isolation: .process, limits: Limits(timeout: 60), clock: .virtual)
      let found = try await CheckCreative("security/late-behaviour/trips").issues(
        "late-behaviour", options: options, in: render)
      #expect(found?.map(\.message) == ["after 31 s: open(https://fernmoss.example/) without a user gesture"])
      let left = try await CheckCreative("security/late-behaviour/passes").issues(
        "late-behaviour", options: options, in: render)
      #expect(left == [])
      #expect(try await CheckCreative("security/late-behaviour/trips").issues("late-behaviour") == nil)
    }

    @Test("an ad that works at rest is told from one that hardly does, however busy the machine is")
    @EngineActor func pace() async throws {
      let busy = try #require(
        try await CheckCreative("heavyAd/heavy-ad-pace/trips").measurements(watch: 2.5).restingPace)
      let calm = try #require(
        try await CheckCreative("heavyAd/heavy-ad-pace/passes").measurements(watch: 2.5).restingPace)
      #expect(busy > 2 * calm, "\(busy), \(calm)")
    }

    @Test(
      "what was loaded is held against Chrome's limit",
      arguments: [
        ("trips", "heavy-ad-network", "the ad loads 4.6 MB before a user gesture; Chrome allows 4.2 MB"),
        ("close", "heavy-ad-headroom", "only 14.2 % of Chrome's limit for bytes from the network is left"),
      ])
    @EngineActor func network(file: String, check: String, says: String) async throws {
      let issues = try await CheckCreative("heavyAd/heavy-ad-network/\(file)").issues(check)
      #expect(issues?.map(\.message).contains { $0.contains(says) } == true, "\(issues?.map(\.message) ?? [])")
      #expect(try await CheckCreative("heavyAd/heavy-ad-network/passes").issues(check) == [])
    }
  }
}

/// Creative of `Creatives/checks`, and the findings of the checks after it was rendered and measured.
struct CheckCreative: Sendable, CustomTestStringConvertible {
  /// Path as `family/check/file`, without the extension.
  let path: String

  init(_ path: String) { self.path = path }

  var testDescription: String { path }

  private var file: String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Creatives/checks/\(path).html")
      .path
  }

  /// Returns the issues of one check; nil if it had nothing to judge.
  @EngineActor func issues(
    _ check: String, watch: Double = 0.3, options: TestRender.Options = .init(), in render: TestRender = .shared
  ) async throws -> [CheckIssue]? {
    var options = options
    options.measures = true
    options.watch = watch
    let result = try await render.render(path: file, options)
    let evidence = CheckContext(
      record: result.record, journeys: [Journey(events: result.events)],
      inventory: Inventory(
        kind: "html", name: "ad.html",
        files: [Inventory.File(path: "index.html", text: try String(contentsOfFile: file, encoding: .utf8))]),
      measurements: try result.measurements(), profiles: Self.profiles)
    return try Check.all.first { $0.id == check }.flatMap { try $0.judge(evidence) }
  }

  /// Returns measurements in a web process of its own, without remains of the previous creative.
  @EngineActor func measurements(watch: Double) async throws -> Measurements {
    let options = TestRender.Options(isolation: .process, measures: true, watch: watch)
    return try await TestRender.shared.render(path: file, options).measurements()
  }

  /// Profile of a network that limits motion as most do.
  private static let profiles = [
    Profile(
      id: "strict", title: "Strict",
      rules: [
        Profile.Rule(check: "motion-length", limit: 15, note: "15 s", source: Citation(title: "", url: "")),
        Profile.Rule(check: "loop-count", limit: 3, note: "3 loops", source: Citation(title: "", url: "")),
        Profile.Rule(check: "flash-count", limit: 3, note: "3 flashes", source: Citation(title: "", url: "")),
      ])
  ]
}

extension LiveWebKit {
  /// Page with numbers that crash careless hosts, in every place where a page can set one.
  @Suite struct HostileNumberTests {
    private static let page = """
      <style>
      @keyframes a { to { opacity: .5; transform: translateX(1e30px) } }
      p { animation: a 1s 1e20; } b { animation: a 1e9s 1e30; } i { animation: a 1e-30s 3.4e38 -1e30s; display: block }
      u { position: absolute; left: 1e30px; width: 1e30px; height: 1e30px; font-size: 1e30px }
      </style>
      <p>one</p><b>two</b><i>three</i><u onclick="0">four</u><button style="width: 1e30px">x</button>
      <script>
      const numbers = [NaN, Infinity, -Infinity, 1e308, -1e308, 2 ** 31 + 1, -(2 ** 31) - 1, 2 ** 53 + 2, -0, 3e4, 1e19];
      const calls = ["expand", "resize", "open", "playVideo", "storePicture", "useCustomClose", "setResizeProperties",
        "setExpandProperties", "setOrientationProperties", "createCalendarEvent", "addEventListener", "supports"];
      mraid.addEventListener("ready", () => {
        for (const n of numbers) {
          const all = { width: n, height: n, offsetX: n, offsetY: n, allowOffscreen: true, start: n, x: n, y: n };
          for (const call of calls) {
            for (const argument of [n, all, { ...all, width: 320 }, { ...all, width: 320, height: 50 }, { ...all, height: 50, offsetX: 320 - n }]) {
              try { mraid[call](argument); } catch { /* it may throw as it likes */ }
            }
          }
          console.log(n);
          mraid.close();
        }
        Promise.reject(1e308);
        setTimeout(() => { throw new Error("1e308"); }, 0);
        console.log("told");
      });
      </script>
      """

    @Test @EngineActor func `a page may say any number, and is rendered, measured and judged`() async throws {
      let options = TestRender.Options(
        isolation: .process, limits: Limits(timeout: 60), measures: true, watch: 0.5)
      let result = try await TestRender.shared.render(html: Self.page, options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.console.contains("told"))
      let refused = result.events("mraid/error").compactMap { $0.detail["arguments"]?[0]?.string }
      #expect(refused.contains { $0.hasSuffix("is beyond what a device can lay out") })
      let evidence = CheckContext(
        record: result.record, journeys: [Journey(events: result.events)], measurements: try result.measurements(),
        profiles: ProfileCatalogue.standard.profiles)
      let report = CheckRunner(checks: Check.all, policy: Policy(), profiles: evidence.profiles, today: "2026-11-22")
        .report(on: evidence, name: "ad", folder: "ad")
      #expect(report.brokenChecks == [])
      #expect(report.findings.contains { $0.check == "loop-count" })
    }
  }
}
