import Checks
import Jobs
import MRAID
import Testing
import WebKitRuntime

extension LiveWebKit {
  /// A page with numbers that end careless hosts, in all that it may say.
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

    @Test @WebKitActor func `a page may say any number, and is rendered, measured and judged`() async throws {
      let options = TestRender.Options(
        isolation: .process, limits: Limits(timeout: 60), measures: true, watch: 0.5)
      let result = try await TestRender.shared.render(html: Self.page, options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.console.contains("told"))
      let refused = result.events("mraid/error").compactMap { $0.detail["arguments"]?[0]?.string }
      #expect(refused.contains { $0.hasSuffix("is beyond what a device can lay out") })
      let evidence = Evidence(
        record: result.record, journeys: [Journey(events: result.events)], measurements: try result.measurements(),
        profiles: ProfileCatalogue.standard.profiles)
      let report = Judge(checks: Check.all, policy: Policy(), profiles: evidence.profiles, today: "2026-11-22")
        .report(on: evidence, name: "ad", folder: "ad")
      #expect(report.brokenChecks == [])
      #expect(report.findings.contains { $0.check == "loop-count" })
    }
  }
}
