import Core
import Engine
import Foundation
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  /// Videos that lie beside their page, in both kinds of time.
  @Suite("A creative's own video")
  struct OwnMediaTests {
    /// Renders a page beside `clip.webm`, a video of 2 s.
    private func play(_ html: String, _ steps: String, _ clock: RenderOptions.Clock) async throws -> RenderedCreative {
      let owner = try TemporaryFolder()
      try owner.write(
        "creative/index.html", "<!doctype html><meta name=\"ad.size\" content=\"width=320,height=250\">\(html)")
      let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
      try FileManager.default.copyItem(
        at: package.appending(path: "Creatives/video/wrapper/kite.webm"),
        to: URL(filePath: "\(owner.path)/creative/clip.webm"))
      return try await TestRender.of(clock).render(
        path: "\(owner.path)/creative", TestRender.Options(scenario: steps, clock: clock), owner: owner)
    }

    @Test("is whole at once, as preloaders wait for it", arguments: [RenderOptions.Clock.virtual, .real])
    @EngineActor func isWhole(clock: RenderOptions.Clock) async throws {
      let result = try await play(
        """
        <script>
          const said = [];
          const video = document.createElement("video");
          video.muted = true;
          for (const type of ["canplay", "canplaythrough", "emptied"])
            video.addEventListener(type, () => said.push(`${type} ${video.readyState} ${video.networkState}`));
          video.preload = "auto";
          video.src = "clip.webm";
        </script>
        """,
        """
        - advance: 1s
        - expect: {evaluate: {"said.join()": "canplay 4 1,canplaythrough 4 1", "video.readyState": 4}}
        """, clock)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }

    @Test("begins by itself, as fast as its page says", arguments: [RenderOptions.Clock.virtual, .real])
    @EngineActor func begins(clock: RenderOptions.Clock) async throws {
      let result = try await play(
        """
        <video id="video" src="clip.webm" autoplay muted></video><script>
          video.playbackRate = 2;
          let began = 0, ended = 0;
          video.addEventListener("playing", () => began ||= performance.now());
          video.addEventListener("ended", () => ended = performance.now());
        </script>
        """,
        """
        - advance: 2.5s
        - expect: {evaluate: {"video.playbackRate": 2, "began > 0 && ended - began < 0.75 * 1000 * video.duration": true}}
        """, clock)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }

    @Test("isn't fetched before it plays where its page says so")
    @EngineActor func restsUntilItPlays() async throws {
      let page = #"<video id="video" src="clip.webm" preload="none" muted></video>"#
      let rests = try await play(page, "- advance: 1s", .virtual)
      #expect(
        !rests.events.contains { $0.name == "resource" && $0.detail["url"]?.string?.hasSuffix("clip.webm") == true })
      let played = try await play(
        page,
        """
        - expect: {evaluate: {"video.readyState": 0, "video.currentSrc.endsWith('clip.webm') || video.networkState === 1": true}}
        - evaluate: "video.play()"
        - advance: 1s
        - expect: {evaluate: {"video.currentTime > 0.5": true, "video.currentSrc.endsWith('clip.webm')": true}}
        """, .virtual)
      #expect(played.record.outcome == .completed, "\(played.record.message ?? "")")
    }

    @Test("fills the screen of an iPhone by the system's player, which the log tells")
    @EngineActor func fullScreen() async throws {
      let result = try await play(
        """
        <video id="video" src="clip.webm" muted width="320" height="180" onclick="this.webkitEnterFullscreen()"></video><script>
          const said = [];
          for (const type of ["webkitbeginfullscreen", "webkitendfullscreen"])
            video.addEventListener(type, () => said.push(`${type} ${video.webkitDisplayingFullscreen}`));
        </script>
        """,
        """
        - advance: 0.5s
        - expect: {evaluate: {"video.webkitSupportsFullscreen": true, "video.webkitDisplayingFullscreen": false}}
        - tap: "#video"
        - evaluate: "video.webkitExitFullscreen()"
        - expect: {evaluate: {"said.join()": "webkitbeginfullscreen true,webkitendfullscreen false"}}
        """, .virtual)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.events.filter { $0.name == "fullScreen" }.map { $0.detail["entered"] } == [true, false])
    }

    @Test("tells who draws it of each frame", arguments: [RenderOptions.Clock.virtual, .real])
    @EngineActor func frames(clock: RenderOptions.Clock) async throws {
      let result = try await play(
        """
        <video id="video" src="clip.webm" autoplay muted style="display: none"></video><script>
          const seen = [];
          const next = (now, { mediaTime, width }) => {
            seen.push([mediaTime, width]);
            video.requestVideoFrameCallback(next);
          };
          video.requestVideoFrameCallback(next);
          const cancelled = [];
          video.cancelVideoFrameCallback(video.requestVideoFrameCallback(() => cancelled.push(1)));
        </script>
        """,
        """
        - advance: 1.5s
        - expect:
            evaluate:
              "seen.length > 5 && seen.length < 60": true
              "seen.every(([at, width], place) => width > 0 && (place === 0 || at >= seen[place - 1][0]))": true
              "seen.at(-1)[0] > 0.5": true
              "cancelled.length": 0
        """, clock)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }
  }
}
