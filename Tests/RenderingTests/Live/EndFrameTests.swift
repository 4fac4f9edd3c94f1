import Engine
import Foundation
import Pixels
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  /// The second picture of an ad that moves by itself.
  @Suite("End frames")
  struct EndFrameTests {
    @EngineActor private static func render(
      _ page: String, _ change: (inout TestRender.Options) -> Void = { _ in }
    ) async throws -> RenderedCreative {
      // A sixth of it is what a busy machine may take for half a minute of frames.
      var options = TestRender.Options(limits: Limits(timeout: 120), clock: .virtual)
      change(&options)
      let html = #"<!doctype html><meta name="ad.size" content="width=300,height=100"><body style="margin: 0">\#(page)"#
      let result = try await TestRender(extensionDirectory: WebExtension.folder).render(html: html, options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.record.warnings.allSatisfy { !$0.contains("the ad moves") && !$0.contains("end frame") })
      return result
    }

    private static func names(_ result: RenderedCreative) -> [String] { result.record.screenshots.map(\.name) }

    /// Seconds at which the last picture was taken.
    private static func end(_ result: RenderedCreative) -> Double { (result.record.screenshots.last?.t ?? 0) / 1_000 }

    /// The pixel in the middle of a picture of the ad.
    private static func middle(_ result: RenderedCreative, _ number: Int) throws -> UInt32 {
      let picture = try result.picture(number, ad: true)
      return picture.pixels[picture.height / 2 * picture.width + picture.width / 2] & 0xff_ffff
    }

    /// A box that fills the ad, black at first, and moves as `animation` says.
    private static func box(_ animation: String, _ steps: String = "to { background: #fff }") -> String {
      """
      <style>div { height: 100px; background: #000; animation: go \(animation) } @keyframes go { \(steps) }</style>
      <div></div>
      """
    }

    @Test("an ad that stands still has one picture, also where it polls")
    @EngineActor func still() async throws {
      #expect(Self.names(try await Self.render("<p>ad</p>")) == ["001-default"])
      let polls = "<p>ad</p><script>setInterval(() => console.log('polls'), 1000)</script>"
      let result = try await Self.render(polls)
      #expect(Self.names(result) == ["001-default"])
      #expect(result.console == [], "it was watched")
    }

    @Test(
      "an ad that moves has its end frame, at 15 s or where its own time says it ends later",
      arguments: [("4s forwards", 15.0), ("2s 3s forwards", 15), ("20s forwards", 20), ("40s forwards", 30)])
    @EngineActor func moves(animation: String, seconds: Double) async throws {
      let result = try await Self.render(Self.box(animation))
      #expect(Self.names(result) == ["001-default", "002-end"])
      #expect((seconds..<seconds + 0.5).contains(Self.end(result)), "\(Self.end(result))")
      let (first, last) = (try Self.middle(result, 1), try Self.middle(result, 2))
      #expect(first < 0x80_8080, "\(first)")
      #expect(seconds == 30 ? last > first : last == 0xff_ffff, "\(last)")
      #expect(result.record.screenshots.map(\.at) == [nil, nil])
    }

    @Test("an animation that ends within the bound is waited for, though it stands still at first")
    @EngineActor func beginsLate() async throws {
      let result = try await Self.render(Self.box("1s 0.3s forwards"))
      #expect(try Self.middle(result, 1) == 0xff_ffff)
    }

    @Test("an ad without an end is pictured where it is at 15 s, the same every time")
    @EngineActor func endless() async throws {
      let canvas = """
        <canvas id="c" width="300" height="100"></canvas><script>
        const pen = c.getContext("2d");
        let frame = 0;
        const draw = () => {
          frame += 1;
          pen.fillStyle = `rgb(${frame % 256}, ${frame >> 8}, 0)`;
          pen.fillRect(0, 0, 300, 100);
          requestAnimationFrame(draw);
        };
        draw();
        </script>
        """
      let first = try await Self.render(canvas)
      #expect(Self.names(first) == ["001-default", "002-end"])
      #expect((15..<15.2).contains(Self.end(first)), "\(Self.end(first))")
      #expect(try first.picture(1, ad: true) != first.picture(2, ad: true))
      let second = try await Self.render(canvas)
      for number in 1...2 { #expect(try first.picture(number) == second.picture(number), "\(number)") }
    }

    @Test(
      "slides that change by timers alone have their end frame",
      arguments: [
        "const go = () => { number += 1; show(); if (number < 3) setTimeout(go, 2000); }; setTimeout(go, 2000)",
        "const timer = setInterval(() => { number += 1; show(); if (number === 3) clearInterval(timer); }, 3000)",
      ])
    @EngineActor func slides(script: String) async throws {
      let page = """
        <div id="d" style="height: 100px"></div><script>
        let number = 0;
        const show = () => { d.style.background = ["#111", "#333", "#555", "#eee"][number]; };
        show();
        \(script);
        </script>
        """
      let result = try await Self.render(page)
      #expect(Self.names(result) == ["001-default", "002-end"])
      #expect((15..<15.2).contains(Self.end(result)), "\(Self.end(result))")
      #expect(try Self.middle(result, 1) == 0x11_1111)
      #expect(try Self.middle(result, 2) == 0xee_eeee)
    }

    @Test("an ad that ends as it began has one picture")
    @EngineActor func loop() async throws {
      let result = try await Self.render(Self.box("2s 1s", "50% { background: #fff }"))
      #expect(Self.names(result) == ["001-default"])
    }

    @Test("an interstitial has one too")
    @EngineActor func interstitial() async throws {
      let result = try await Self.render(Self.box("4s forwards")) { $0.placement = Placement(kind: .interstitial) }
      #expect(Self.names(result) == ["001-default", "002-end"])
    }

    @Test("an ad that expands meanwhile is pictured as it is then, and no more")
    @EngineActor func expands() async throws {
      let script = "<script src='mraid.js'></script><script>setTimeout(() => mraid.expand(), 3000)</script>"
      let result = try await Self.render(script + Self.box("8s forwards"))
      #expect(Self.names(result) == ["001-default", "002-expanded"])
    }

    @Test("in the machine's time, with a scenario and at instants nobody waits for it")
    @EngineActor func otherwise() async throws {
      let page = Self.box("1s 2s forwards")
      let began = ContinuousClock.now
      #expect(Self.names(try await Self.render(page) { $0.clock = .real }) == ["001-default"])
      #expect(ContinuousClock.now - began < .seconds(15))
      let steps = "- wait: {seconds: 1}"
      #expect(Self.names(try await Self.render(page) { $0.scenario = steps }) == ["001-default"])
      let captures = CaptureSchedule(instants: [1])
      #expect(Self.names(try await Self.render(page) { $0.captures = captures }) == ["001-at-1s"])
    }
  }
}
