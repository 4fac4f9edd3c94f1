import Foundation
import Pixels
import RenderModel
import Testing

extension ProgramTier {
  /// Films and sounds in a creative's own time.
  @Suite(.timeLimit(.minutes(2))) struct MediaClockTests {
    private let program: Program

    init() throws { program = try Program() }

    private func addVideo(to page: String) throws {
      try program.file("ad/index.html", page)
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      try FileManager.default.copyItem(
        at: root.appending(path: "Creatives/banner/video/crossing.webm"),
        to: URL(filePath: "\(program.folder)/ad/film.webm"))
    }

    @Test func aFilmGoesOnAsItsPageDoes() async throws {
      try addVideo(to: Self.video)
      let outcome = try await program.play(
        """
        - advance: 1s
        - screenshot: one
        - advance: 1.5s
        - screenshot: two
        - expect:
            evaluate:
              "film.paused || film.ended": false
              "near(film.currentTime, lived())": true
              "seen.play.length === 1 && seen.playing.length === 1 && !seen.pause": true
              "seen.timeupdate.length >= 8 && seen.timeupdate.every(([at, position]) => near(position, at))": true
        - advance: 2s
        - expect:
            evaluate:
              "film.paused && film.ended": true
              "near(seen.ended[0][0], film.duration)": true
              "seen.ended.length === 1 && seen.pause.length === 1": true
        """)
      let record = try #require(try outcome.document().results.first)
      #expect(record.message ?? "fine" == "fine")
      let pictures = try ["one", "two"].map { name in
        let screenshot = try #require(record.screenshots.first { $0.name.hasSuffix("-\(name)") })
        return try PNGDecoder.read(path: "\(program.folder)/out/ad/screenshots/\(screenshot.name)-ad.png")
      }
      #expect(pictures[0] != pictures[1])
      #expect(record.nondeterminism == nil)
    }

    /// Page that logs every event of a video, with its time since the start and its position, in seconds.
    private static let video = """
      <!doctype html><meta name="ad.size" content="width=300,height=250">
      <video id="film" src="film.webm" muted autoplay playsinline style="width: 300px"></video><script>
        const seen = {};
        let began = 0;
        const lived = () => (performance.now() - began) / 1000;
        const near = (value, wanted) => Math.abs(value - wanted) < 0.02;
        film.addEventListener("playing", () => began = performance.now());
        for (const name of ["play", "playing", "timeupdate", "pause", "ended"]) {
          film.addEventListener(name, () => (seen[name] = seen[name] ?? []).push([lived(), film.currentTime]));
        }
      </script>
      """

    /// Ads play their film in the script right after it, and another one in the same element later.
    @Test(arguments: ["virtual", "real"], ["property", "attribute", "load"])
    func aFilmThatIsPlayedAtOncePlays(clock: String, way: String) async throws {
      try addVideo(to: Self.playedAtOnce.replacing("WAY", with: way))
      let outcome = try await program.play(
        """
        - evaluate: played(1)
        - wait: {seconds: 0.5}
        - expect: {evaluate: {"seen.first": resolved, "film.paused": false, "film.currentTime > 0.2 && film.currentTime < 2": true}}
        - evaluate: change()
        - evaluate: played(2)
        - wait: {seconds: 0.3}
        - expect: {evaluate: {"seen.second": resolved, "film.paused": false, "film.currentTime > 0.1 && film.currentTime < 2": true}}
        - evaluate: "change(); film.pause()"
        - wait: {seconds: 0.5}
        - expect: {evaluate: {"seen.second": AbortError, "film.paused": true, "seen.playing": 2}}
        """, clock: clock)
      #expect(try outcome.document().results.map { $0.message ?? "fine" } == ["fine"])
    }

    /// Elements that are nowhere in the document, and those that have just come there.
    @Test(arguments: ["virtual", "real"], ["made", "detached", "inserted", "sources"])
    func filmsPlayHoweverTheyAreMade(clock: String, way: String) async throws {
      try addVideo(to: Self.madeByScript.replacing("WAY", with: way))
      try Self.silence.write(to: URL(filePath: "\(program.folder)/ad/silence.wav"))
      let outcome = try await program.play(
        """
        - evaluate: played
        - wait: {seconds: 0.5}
        - expect: {evaluate: {"film.paused": false, "film.currentTime > 0.2 && film.currentTime < 2": true}}
        """, clock: clock)
      #expect(try outcome.document().results.map { $0.message ?? "fine" } == ["fine"])
    }

    /// Four seconds of silence, at 8 kHz.
    private static let silence: Data = {
      let count: UInt32 = 4 * 8_000
      let bytes = { (number: UInt32) in withUnsafeBytes(of: number.littleEndian) { Data($0) } }
      let format = bytes(16) + Data([1, 0, 1, 0]) + bytes(8_000) + bytes(8_000) + Data([1, 0, 8, 0])
      return Data("RIFF".utf8) + bytes(36 + count) + Data("WAVEfmt ".utf8) + format + Data("data".utf8) + bytes(count)
        + Data(repeating: 128, count: Int(count))
    }()

    private static let madeByScript = """
      <!doctype html><meta name="ad.size" content="width=300,height=250"><body><script>
        const element = (html) => Object.assign(document.createElement("div"), { innerHTML: html }).firstChild;
        const ways = {
          made: () => new Audio("silence.wav"),
          detached: () => element("<video src='film.webm' muted playsinline></video>"),
          inserted: () => document.body.appendChild(element("<video src='film.webm' muted playsinline></video>")),
          sources: () => document.body.appendChild(
            element("<video muted playsinline><source src='none.mp4'><source src='film.webm'></video>")),
        };
        const film = ways["WAY"]();
        const played = film.play();
      </script>
      """

    private static let playedAtOnce = """
      <!doctype html><meta name="ad.size" content="width=300,height=250">
      <video id="film" src="film.webm" muted playsinline style="width: 300px"></video><script>
        const seen = { playing: 0 };
        const tell = (promise, name) => promise.then(() => seen[name] = "resolved", (error) => seen[name] = error.name);
        film.addEventListener("playing", () => seen.playing += 1);
        const played = (count) => new Promise((done) => {
          const look = () => (seen.playing >= count ? done() : setTimeout(look, 20));
          look();
        });
        tell(film.play(), "first");
        const ways = {
          property: () => film.src = "film.webm?again",
          attribute: () => film.setAttribute("src", "film.webm?again"),
          load: () => film.load(),
        };
        const change = () => {
          ways["WAY"]();
          tell(film.play(), "second");
        };
      </script>
      """

    @Test func whatAPageSoundsEndsWhenItWould() async throws {
      try program.file("ad/index.html", Self.sounds)
      let outcome = try await program.play(
        """
        - advance: 3s
        - expect:
            evaluate:
              "context.state": "running"
              "context instanceof AudioContext && context.constructor === AudioContext": true
              "near(context.currentTime, (performance.now() - began) / 1000)": true
              "seen.states.join()": running
              "near(seen.beep, 1)": true
              "near(seen.cut, 0.5)": true
              "near(seen.double, 0.5)": true
              "near(seen.late, 2)": true
              "seen.looped === undefined": true
              "seen.error": "InvalidStateError"
              "seen.before": "InvalidStateError"
              "near(seen.mixed, 0, 0.05)": true
        - evaluate: pause()
        - advance: 2s
        - expect:
            evaluate:
              "context.state": "suspended"
              "context.currentTime === stood": true
              "seen.ended === undefined": true
        - evaluate: "context.resume().then(() => resumed = performance.now())"
        - advance: 1s
        - expect:
            evaluate:
              "near(context.currentTime - stood, (performance.now() - resumed) / 1000)": true
              "seen.ended": true
        - evaluate: "context.close().then(() => context.resume()).catch((error) => seen.closed = error.name)"
        - advance: 0.1s
        - expect:
            evaluate:
              "context.state": "closed"
              "seen.closed": "InvalidStateError"
              "seen.states.join()": "running,suspended,running,closed"
        """, "--timeout 25 --container prebid-ios")
      #expect(try outcome.document().results.map { $0.message ?? "fine" } == ["fine"])
    }

    private static let sounds = """
      <!doctype html><body><script>
        const near = (value, wanted, by = 0.06) => Math.abs(value - wanted) <= by;
        const seen = { states: [] };
        const context = new AudioContext();
        let began;
        context.onstatechange = () => {
          began ??= performance.now() - context.currentTime * 1000;
          seen.states.push(context.state);
        };
        const buffer = context.createBuffer(1, 44100, 44100);
        const play = (name, start, set = {}) => {
          const source = Object.assign(context.createBufferSource(), { buffer });
          if (set.rate) source.playbackRate.value = set.rate;
          source.loop = set.loop === true;
          source.connect(context.destination);
          const at = performance.now();
          source.addEventListener("ended", () => seen[name] = (performance.now() - at) / 1000);
          start(source);
          return source;
        };
        play("beep", (source) => source.start());
        play("cut", (source) => source.start(0, 0.25, 0.5));
        play("double", (source) => source.start(), { rate: 2 });
        play("late", (source) => source.start(1));
        play("looped", (source) => source.start(), { loop: true });
        try { play("twice", (source) => { source.start(); source.start(); }); } catch (error) { seen.error = error.name; }
        try { context.createOscillator().stop(); } catch (error) { seen.before = error.name; }
        let stood, resumed;
        const pause = () => {
          const tone = context.createOscillator();
          tone.onended = () => seen.ended = true;
          tone.start();
          tone.stop(context.currentTime + 0.5);
          return context.suspend().then(() => stood = context.currentTime);
        };
        const offline = new OfflineAudioContext(1, 44100 * 20, 44100), at = performance.now();
        offline.startRendering().then(() => seen.mixed = (performance.now() - at) / 1000);
      </script>
      """
  }
}
