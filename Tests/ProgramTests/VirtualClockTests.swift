import Foundation
import MRAID
import Pixels
import RenderModel
import Testing

extension ProgramTier {
  /// Virtual time of a creative: a minute of it within a render that may take less than half of that.
  @Suite(.timeLimit(.minutes(2))) struct VirtualClockTests {
    private let program: Program

    init() throws {
      program = try Program()
      try program.file("ad/index.html", Self.page)
    }

    /// Page that counts the ticks of everything that measures time.
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

    @Test func aMinutePassesWithoutBeingWaitedFor() async throws {
      let outcome = try await program.play(
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

    /// Checks that a script's change is drawn with the display's next frame.
    ///
    /// At the change's own instant a new animation wouldn't be ready, and its events would be lost when it is removed.
    @Test func whatAScriptBeginsIsReadyWhenItIsDrawn() async throws {
      try program.file(
        "ad/index.html",
        """
        <!doctype html><style>@keyframes go { to { margin-left: 200px } } div { height: 9px; background: red }</style>
        <script>
          const heard = [], frames = [];
          const begin = () => {
            const box = document.body.appendChild(document.createElement("div"));
            box.style.animation = "go 90s";
            const [animation] = box.getAnimations();
            box.addEventListener("animationstart", () => {
              heard.push("start, " + (animation.pending ? "pending" : "ready"));
              animation.timeline = null;
            });
            box.addEventListener("animationcancel", () => heard.push("cancel"));
          };
          requestAnimationFrame(function frame(at) { frames.push(at); requestAnimationFrame(frame); });
          addEventListener("DOMContentLoaded", begin);
          setTimeout(() => requestAnimationFrame(begin), 500);
          // The first comes as soon as the document is loaded.
          const between = () => frames.slice(2).map((at, index) => at - frames[index + 1]);
        </script>
        """)
      let outcome = try await program.play(
        """
        - advance: 2s
        - expect:
            evaluate:
              "heard.join()": "start, ready,cancel,start, ready,cancel"
              "Math.min(...between()) >= 16 && Math.max(...between()) <= 17": true
              "frames[0] <= 3 && frames.length > 120": true
        """)
      #expect(try outcome.document().results.map { $0.message ?? "fine" } == ["fine"])
    }

    /// Checks that scripts' memory is cleared as often as on a phone, and not after each piece of work because it took
    /// no time.
    @Test func memoryIsClearedNowAndThen() async throws {
      try program.file(
        "ad/index.html",
        """
        <!doctype html><p>ad<script>
          let [made, cleared] = [0, 0];
          const registry = new FinalizationRegistry(() => cleared += 1);
          setInterval(() => { made += 1; registry.register({ list: new Array(200).fill({}) }, 0); }, 50);
        </script>
        """)
      let outcome = try await program.play(
        """
        - advance: 3s
        - expect:
            evaluate:
              "made > 50 && made - cleared > 5": true
        """)
      #expect(try outcome.document().results.map { $0.message ?? "fine" } == ["fine"])
    }

    @Test func instantsLieWhereTheyBelong() async throws {
      let outcome = try await program.play(
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

    /// Bars of 20 dip, each of which grows by 10 dip a second in its own way from its appearance on.
    ///
    /// The canvas has the pictures' own pixels.
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

    /// Changes the page once in frames that aren't painted because no picture is taken, and looks for each change
    /// later.
    @Test func whatChangedWhileNobodyLookedIsInTheNextPicture() async throws {
      try program.file(
        "ad/index.html",
        """
        <!doctype html><meta name="ad.size" content="width=300,height=250">
        <body style="margin: 0; background: #fff"><style>
          div, canvas { position: absolute; width: 60px; height: 60px }
          #list { left: 150px; top: 150px; overflow: hidden } #list p { margin: 0; height: 60px }
        </style>
        <div id="color" style="left: 0; top: 0; background: #00f"></div>
        <div id="gone" style="left: 70px; top: 0; background: #00f"></div>
        <div id="moved" style="left: 0; top: 70px; background: #080"></div>
        <div id="faded" style="left: 140px; top: 0; background: #00f; opacity: 1"></div>
        <canvas width="60" height="60" style="left: 210px; top: 0"></canvas>
        <div id="list"><p style="background: #00f"></p><p style="background: #080"></p></div>
        <script>
          const changes = [
            () => color.style.background = "#080", () => gone.remove(), () => moved.style.left = "80px",
            () => faded.style.opacity = 0, () => list.scrollTop = 60,
            () => {
              const context = document.querySelector("canvas").getContext("2d");
              context.fillStyle = "#080";
              context.fillRect(0, 0, 60, 60);
            },
            () => document.body.style.background = "#ff0",
          ];
          changes.forEach((change, i) => setTimeout(() => requestAnimationFrame(change), 300 + i * 110));
          // Something moves all the time, so that frames go on.
          requestAnimationFrame(function draw(now) {
            document.title = now;
            requestAnimationFrame(draw);
          });
        </script>
        """)
      func picture(_ options: String) async throws -> Bitmap {
        let outcome = try await program.render("ad \(options) --json --timeout 60")
        let record = try #require(try outcome.document().results.first)
        let name = try #require(record.screenshots.last { $0.at == 3 }?.name)
        return try PNGDecoder.read(path: "\(program.folder)/out/ad/screenshots/\(name)-ad.png")
      }
      let unseen = try await picture("--at 3")
      let seen = try await picture("--at 3 --filmstrip 0.05 --filmstrip-length 3")
      let scale = unseen.width / 300
      let centres = [(30, 30), (100, 30), (30, 100), (110, 100), (170, 30), (240, 30), (180, 180)]
      let (green, yellow) = (Color(rgb: 0x00_8800), Color(rgb: 0xFF_FF00))
      let colors = centres.map { x, y in unseen[x * scale, y * scale] }
      #expect(colors == [green, yellow, yellow, green, yellow, green, green])
      for y in 0..<unseen.height where (0..<unseen.width).contains(where: { unseen[$0, y] != seen[$0, y] }) {
        Issue.record("row \(y) is other than where somebody looks at every frame")
        break
      }
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
      let timestamps = record.screenshots.filter { $0.at != nil }
      #expect(timestamps.map(\.at) == [0, 1, 3])
      #expect(timestamps.map(\.state) == [.default, .default, .expanded])
    }

    @Test func allOfAPagesClocksAgree() async throws {
      try program.file("ad/index.html", Self.clocks)
      let outcome = try await program.play(
        """
        - advance: 3s
        - expect:
            evaluate:
              "JSON.stringify(Object.entries(apart).filter(([, time]) => !(Math.abs(time) <= 1)))": "[]"
              "Object.keys(apart).sort().join()": event,frame,origin,seen,spun,timeline
              "near(took.abort, 2500, 20) && near(took.animation, 1234, 20) && near(took.worker, 1000, 40)": true
              "scrolled": 100px
        """)
      #expect(try outcome.document().results.map { $0.message ?? "fine" } == ["fine"])
    }

    /// Clocks that ads compare to detect manipulated time, and the differences between them in milliseconds.
    private static let clocks = """
      <!doctype html><style>
        @keyframes go { to { margin-left: 200px } }
        #scroller { height: 50px; overflow: scroll }
        #tied { height: 10px; animation: go linear; animation-timeline: scroll() }
      </style>
      <div id="box">x</div><div id="scroller"><div style="height: 500px"><div id="tied"></div></div></div><script>
        const [apart, took, born] = [{}, {}, performance.now()];
        const near = (value, wanted, by) => Math.abs(value - wanted) <= by;
        apart.origin = performance.timeOrigin + performance.now() - Date.now();
        document.addEventListener("told", (event) => apart.event = event.timeStamp - performance.now());
        document.dispatchEvent(new Event("told"));
        requestAnimationFrame((now) => {
          apart.frame = now - performance.now();
          apart.timeline = now - document.timeline.currentTime;
        });
        new IntersectionObserver(([entry]) => apart.seen = entry.time - performance.now()).observe(box);
        const began = Date.now();
        while (Date.now() - began < 100);
        apart.spun = performance.now() - born - 100;
        AbortSignal.timeout(2500).addEventListener("abort", () => took.abort = performance.now() - start);
        const start = performance.now();
        box.animate({ opacity: [1, 0] }, 1234).finished.then(() => took.animation = performance.now() - start);
        const source = "const born = Date.now(); setTimeout(() => postMessage(Date.now() - born), 1000)";
        new Worker(URL.createObjectURL(new Blob([source]))).onmessage = ({ data }) => took.worker = data;
        let scrolled;
        setTimeout(() => {
          scroller.scrollTop = 225;
          setTimeout(() => scrolled = getComputedStyle(tied).marginLeft, 100);
        }, 1000);
      </script>
      """

    @Test func passesForAScriptThatLooksAtItsWatchOverAndOver() async throws {
      try program.file(
        "ad/index.html", "<script>const end = Date.now() + 300; while (Date.now() < end);</script><p>late</p>")
      let outcome = try await program.play("- screenshot: late")
      #expect(try outcome.document().results.map { $0.message ?? "fine" } == ["fine"])
    }

    @Test func leavesNoFilesBehind() async throws {
      // What a run that was killed left, with a lock that nobody holds.
      try program.file("tmp/galley-engine-killed/lock", "")
      try program.file("tmp/galley-engine-killed/1/region")
      let outcome = try await program.shell(
        "TMPDIR=$PWD/tmp exec \"$GALLEY\" render ad ad --clock virtual --jobs 1 --json --out out")
      #expect(try outcome.document().results.count == 2)
      let left = try FileManager.default.contentsOfDirectory(atPath: program.folder + "/tmp")
      #expect(left.filter { $0.hasPrefix("galley-engine") } == [])
    }

    @Test func aScriptThatNeverYieldsStillEndsAtTheDeadline() async throws {
      try program.file("ad/index.html", "<p>hangs</p><script>onload = () => { for (;;); }</script>")
      let outcome = try await program.play("- screenshot: never", "--timeout 3")
      #expect(try outcome.document().results.map(\.code) == ["deadline-exceeded"])
      #expect(outcome.code == 4)
    }
  }
}
