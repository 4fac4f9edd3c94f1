import Foundation
import Jobs
import MRAID
import Pixels
import Testing

extension ProgramTier {
  /// A creative's own time: a minute of it within a render that may take less than half of that.
  @Suite(.timeLimit(.minutes(2))) struct VirtualClockTests {
    private let program: Program

    init() throws {
      program = try Program()
      try program.file("ad/index.html", Self.page)
    }

    /// Everything that tells the time, counted.
    private static let page = """
      <!doctype html><style>
        @keyframes go { to { margin-left: 200px } }
        #box { width: 20px; height: 20px; background: red; animation: go 2s linear 5 }
        #late { transition: opacity 4s linear } #late.gone { opacity: 0 }
      </style><div id="box"></div><div id="late">x</div>
      <svg width="50" height="5"><rect id="smil" height="5" width="0">
        <animate attributeName="width" from="0" to="50" dur="50s" fill="freeze"/></rect></svg>
      <iframe hidden srcdoc="<script>parent.inner = performance.now()</script>"></iframe>
      <script>
        const seen = { ticks: 0, frames: 0, ends: 0, iterations: 0, worker: 0 };
        const [born, date] = [performance.now(), Date.now()];
        setInterval(() => seen.ticks += 1, 250);
        requestAnimationFrame(function frame() { seen.frames += 1; requestAnimationFrame(frame); });
        box.addEventListener("animationiteration", () => seen.iterations += 1);
        box.addEventListener("animationend", (event) => seen.ends = event.elapsedTime);
        setTimeout(() => late.classList.add("gone"), 1000);
        late.addEventListener("transitionend", () => seen.transition = performance.now() - born);
        const source = new Blob(["let n = 0; setInterval(() => postMessage(n += 1), 1000)"]);
        new Worker(URL.createObjectURL(source)).onmessage = (event) => seen.worker = event.data;
        const lived = () => performance.now() - born;
        const near = (value, wanted, by) => Math.abs(value - wanted) <= by;
      </script>
      """

    private func render(_ steps: String, _ options: String = "--timeout 25") async throws -> Program.Outcome {
      try program.file("steps.yaml", steps)
      return try await program.render("ad --scenario steps.yaml --clock virtual --jobs 1 --json \(options)")
    }

    @Test func aMinutePassesWithoutBeingWaitedFor() async throws {
      let outcome = try await render(
        """
        - wait: {seconds: 60}
        - expect:
            evaluate:
              "lived() >= 60000 && lived() < 62000": true
              "near(Date.now() - date, lived(), 20)": true
              "near(seen.ticks, lived() / 250, 1)": true
              "seen.frames >= 3600": true
              "seen.iterations": 4
              "seen.ends": 10
              "near(seen.transition, 5000, 40)": true
              "near(seen.worker, lived() / 1000, 2)": true
              "near(smil.width.animVal.value, 50, 0.01)": true
        """)
      #expect(try outcome.document().results.map { $0.message ?? "fine" } == ["fine"])
    }

    @Test func instantsLieWhereTheyBelong() async throws {
      let outcome = try await render(
        """
        - wait: {seconds: 5}
        - expect:
            evaluate:
              "born > 0 && inner > 0": true
              "near(box.getBoundingClientRect().x, 8 + 200 * (lived() % 2000) / 2000, 4)": true
              "near(smil.width.animVal.value, lived() / 1000, 0.1)": true
              "near(seen.ticks, lived() / 250, 1)": true
              "near(seen.transition, 5000, 40)": true
        """)
      #expect(try outcome.document().results.map { $0.message ?? "fine" } == ["fine"])
    }

    /// Bars of 20 dip, each of which grows by 10 dip a second in a way of its own, from when it is shown; the canvas has the
    /// pictures' own pixels.
    private static let bars = """
      <!doctype html><meta name="ad.size" content="width=320,height=250"><style>
        @keyframes grow { to { width: 300px } }
        body { margin: 0 } .bar, svg, iframe, canvas { position: absolute; left: 0; height: 20px; border: 0 }
        .bar { width: 0; background: #f00 } svg, iframe, canvas { width: 320px }
        #css { animation: grow 30s linear forwards } #transition { transition: width 30s linear }
      </style>
      <div class="bar" id="css"></div><div class="bar" id="transition"></div><div class="bar" id="waapi"></div>
      <svg><rect height="20" width="0" fill="#f00">
        <animate attributeName="width" from="0" to="300" dur="30s" fill="freeze"/></rect></svg>
      <div class="bar" id="frame"></div><div class="bar" id="date"></div><div class="bar" id="interval"></div>
      <div class="bar" id="worker"></div><canvas width="960" height="60"></canvas>
      <iframe srcdoc="<style>@keyframes grow { to { width: 300px } } body { margin: 0 }
        div { height: 20px; width: 0; background: #f00; animation: grow 30s linear forwards }</style><div></div>"></iframe>
      <script>
        [...document.querySelectorAll(".bar, svg, canvas, iframe")].forEach((bar, row) => bar.style.top = row * 20 + "px");
        const set = (bar, milliseconds) => bar.style.width = milliseconds / 100 + "px";
        const [born, date] = [performance.now(), Date.now()];
        requestAnimationFrame(() => transition.style.width = "300px");
        waapi.animate({ width: ["0px", "300px"] }, { duration: 30000, fill: "forwards" });
        requestAnimationFrame(function draw(now) {
          set(frame, now - born);
          set(document.getElementById("date"), Date.now() - date);
          const canvas = document.querySelector("canvas").getContext("2d");
          canvas.fillStyle = "#f00";
          canvas.fillRect(0, 0, (now - born) * 3 / 100, 60);
          requestAnimationFrame(draw);
        });
        let ticks = 0;
        setInterval(() => set(interval, (ticks += 1) * 20), 20);
        const source = new Blob(["const born = performance.now(); setInterval(() => postMessage(performance.now() - born), 20)"]);
        new Worker(URL.createObjectURL(source)).onmessage = (event) => set(worker, event.data);
      </script>
      """
    private static let kinds = [
      "css", "transition", "waapi", "smil", "frames", "date", "interval", "worker", "canvas", "iframe",
    ]

    @Test func picturesShowTheirInstantsWhateverMoves() async throws {
      try program.file("ad/index.html", Self.bars)
      let outcome = try await program.render("ad --at 0,1,2,5 --filmstrip 1 --filmstrip-length 5 --json --timeout 60")
      let record = try #require(try outcome.document().results.first)
      #expect(record.outcome == .completed)
      #expect(record.screenshots.map(\.name) == ["001-at-0s", "002-at-1s", "003-at-2s", "004-at-5s"])
      #expect(record.screenshots.map(\.at) == [0, 1, 2, 5])
      for screenshot in record.screenshots {
        let picture = try PNGDecoder.read(path: "\(program.folder)/out/ad/screenshots/\(screenshot.name)-ad.png")
        let scale = picture.width / 320
        for (row, kind) in Self.kinds.enumerated() {
          let length = (0..<picture.width).prefix { picture[$0, (row * 20 + 10) * scale] != .white }.count
          let grown = Double(length) / Double(scale) - (screenshot.at ?? 0) * 10
          #expect((-0.5...0.5).contains(grown), "\(kind) at \(screenshot.at ?? -1) s: \(grown) dip too long")
        }
      }
      #expect(record.filmstrip?.frames == 6)
      let sheet = try PNGDecoder.read(path: "\(program.folder)/out/ad/filmstrip.png")
      #expect(sheet.height > 250)
      #expect(program.has("out/ad/filmstrip-animation.png"))
    }

    @Test func takingPicturesCallsForNoFrames() async throws {
      try program.file(
        "ad/index.html",
        """
        <!doctype html><meta name="ad.size" content="width=320,height=50">
        <body style="margin: 0"><div id="bar" style="height: 50px; background: #f00"></div><script>
          let drawn = 0;
          requestAnimationFrame(function draw() {
            bar.style.width = (drawn += 1) + "px";
            requestAnimationFrame(draw);
          });
        </script>
        """)
      let outcome = try await program.render(
        "ad --at 1,2,2.1,3 --filmstrip 0.25 --filmstrip-length 3 --json --timeout 60")
      let record = try #require(try outcome.document().results.first)
      let lengths = try record.screenshots.filter { $0.at != nil }.map { screenshot in
        let picture = try PNGDecoder.read(path: "\(program.folder)/out/ad/screenshots/\(screenshot.name)-ad.png")
        return (0..<picture.width).prefix { picture[$0, 10] != .white }.count * 320 / picture.width
      }
      #expect(zip(lengths, lengths.dropFirst()).map { $1 - $0 } == [60, 6, 54], "\(lengths)")
    }

    @Test func whatAnAdDoesByItselfShowsAtItsInstant() async throws {
      try program.file(
        "ad/index.html",
        """
        <!doctype html><script src="mraid.js"></script><body style="margin:0;background:#06c"><script>
          mraid.addEventListener("ready", () => setTimeout(() => mraid.expand(), 2000));
        </script>
        """)
      let outcome = try await program.render("ad --at 0,1,3 --json")
      let record = try #require(try outcome.document().results.first)
      let instants = record.screenshots.filter { $0.at != nil }
      #expect(instants.map(\.at) == [0, 1, 3])
      #expect(instants.map(\.state) == [.default, .default, .expanded])
    }

    @Test func whatAPageSoundsEndsWhenItWould() async throws {
      try program.file("ad/index.html", Self.sounds)
      let outcome = try await render(
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
        """)
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

    /// The engine's own threads decode, compile, sign and mix; each takes the machine's time.
    @Test func whatIsDoneBesideAPageTakesNoneOfItsTime() async throws {
      try program.file("ad/index.html", Self.work)
      let outcome = try await render(
        """
        - wait: {seconds: 12}
        - expect:
            evaluate:
              "JSON.stringify(failed)": "{}"
              "Object.keys(took).length": 9
              "JSON.stringify(Object.entries(took).filter(([, time]) => time > 40))": "[]"
        """)
      let record = try #require(try outcome.document().results.first)
      #expect(record.message == nil)
      #expect(record.inexact == nil)
    }

    private static let work = """
      <!doctype html><meta name="ad.size" content="width=320,height=250"><body><script>
        const leb = (number) => number < 128 ? [number] : [number & 127 | 128, ...leb(number >> 7)];
        // A module with so many functions, each of them long.
        const assembly = (count) => {
          const one = [0, ...Array(300).fill([0x20, 0, 0x41, 7, 0x6a, 0x21, 0]).flat(), 0x20, 0, 0x0b];
          const code = [...leb(one.length), ...one], size = leb(count);
          const types = [1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f];
          const kinds = [3, ...leb(size.length + count), ...size, ...Array(count).fill(0)];
          const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...types, ...kinds];
          const start = [...head, 10, ...leb(size.length + code.length * count), ...size];
          const bytes = new Uint8Array(start.length + code.length * count);
          bytes.set(start);
          for (let i = 0; i < count; i++) bytes.set(code, start.length + i * code.length);
          return bytes;
        };
        const wave = (seconds) => {
          const [count, bytes] = [44100 * seconds, new ArrayBuffer(44 + 88200 * seconds)], view = new DataView(bytes);
          const text = (at, letters) => [...letters].forEach((letter, i) => view.setUint8(at + i, letter.charCodeAt(0)));
          text(0, "RIFF"), view.setUint32(4, 36 + count * 2, true), text(8, "WAVEfmt "), view.setUint32(16, 16, true);
          view.setUint16(20, 1, true), view.setUint16(22, 1, true), view.setUint32(24, 44100, true);
          view.setUint32(28, 88200, true), view.setUint16(32, 2, true), view.setUint16(34, 16, true);
          text(36, "data"), view.setUint32(40, count * 2, true);
          return bytes;
        };
        const canvas = Object.assign(document.createElement("canvas"), { width: 2000, height: 2000 });
        const context = canvas.getContext("2d");
        for (let i = 0; i < 2000; i++) {
          context.fillStyle = `hsl(${i}, 50%, 50%)`;
          context.fillRect(i * 613 % 1900, i * 331 % 1900, 100, 100);
        }
        const picture = canvas.toDataURL("image/jpeg");
        const inWorker = (script, message) => new Promise((done, fail) => {
          const worker = new Worker(URL.createObjectURL(new Blob([script])));
          worker.onmessage = done;
          worker.onerror = fail;
          worker.postMessage(message);
        });
        const tasks = {
          digest: () => crypto.subtle.digest("SHA-512", new Uint8Array(3e7)),
          key: async () => {
            const key = await crypto.subtle.importKey("raw", new Uint8Array(16), "PBKDF2", false, ["deriveBits"]);
            await crypto.subtle.deriveBits({ name: "PBKDF2", salt: new Uint8Array(16), iterations: 2e5, hash: "SHA-256" }, key, 256);
          },
          decode: () => Object.assign(new Image(), { src: picture }).decode(),
          address: async () => createImageBitmap(await (await fetch(picture)).blob()),
          compile: () => WebAssembly.compile(assembly(2000)),
          instantiate: () => WebAssembly.instantiate(assembly(3000)),
          mix: () => new OfflineAudioContext(2, 44100 * 60, 44100).startRendering(),
          sound: () => new OfflineAudioContext(1, 1, 44100).decodeAudioData(wave(20)),
          worker: () => inWorker("onmessage = ({ data }) => WebAssembly.compile(data).then(() => postMessage(1))", assembly(1500)),
        };
        const [took, failed] = [{}, {}];
        setTimeout(async () => {
          for (const name in tasks) {
            const began = performance.now();
            await tasks[name]().catch((error) => failed[name] = `${error}`);
            took[name] = performance.now() - began;
            await new Promise((done) => setTimeout(done, 100));
          }
        }, 500);
      </script>
      """

    @Test func aFilmGoesOnAsItsPageDoes() async throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      try FileManager.default.copyItem(
        at: root.appending(path: "Creatives/banner/video/crossing.webm"),
        to: URL(filePath: "\(program.folder)/ad/film.webm"))
      try program.file("ad/index.html", Self.film)
      let outcome = try await render(
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
      #expect(record.inexact == nil)
    }

    /// Everything that a film tells, with its instant since it began and its position, in seconds.
    private static let film = """
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

    @Test func passesForAScriptThatLooksAtItsWatchOverAndOver() async throws {
      try program.file(
        "ad/index.html", "<script>const end = Date.now() + 300; while (Date.now() < end);</script><p>late</p>")
      let outcome = try await render("- screenshot: late")
      #expect(try outcome.document().results.map { $0.message ?? "fine" } == ["fine"])
    }

    @Test func leavesNoFilesBehind() async throws {
      // What a run that was killed left, by a number no process has.
      try program.file("tmp/galley-engine-2147483647-x/region")
      let outcome = try await program.shell(
        "TMPDIR=$PWD/tmp exec \"$GALLEY\" render ad ad --clock virtual --jobs 1 --json --out out")
      #expect(try outcome.document().results.count == 2)
      let left = try FileManager.default.contentsOfDirectory(atPath: program.folder + "/tmp")
      #expect(left.filter { $0.hasPrefix("galley-engine") } == [])
    }

    @Test func aScriptThatNeverYieldsStillEndsAtTheDeadline() async throws {
      try program.file("ad/index.html", "<p>hangs</p><script>onload = () => { for (;;); }</script>")
      let outcome = try await render("- screenshot: never", "--timeout 3")
      #expect(try outcome.document().results.map(\.code) == ["deadline-exceeded"])
      #expect(outcome.code == 4)
    }
  }
}
