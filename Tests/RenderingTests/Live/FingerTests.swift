import Core
import Engine
import MRAID
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("A finger")
  struct FingerTests {
    private static let names =
      "pointerdown pointerup pointercancel touchstart touchend mousemove mousedown mouseup click dblclick wheel"

    /// Plays steps with a box of 200×200 that logs the user's input.
    private func play(
      _ steps: String, _ clock: RenderOptions.Clock = .real, style: String = "", script: String = ""
    ) async throws -> RenderedCreative {
      let html = """
        <!doctype html><meta name="ad.size" content="width=300,height=250">
        <style>
        * { margin: 0 } #tall { height: 900px }
        #box { width: 200px; height: 200px; background: #c00; \(style) }
        </style>
        <div id="box">box</div><div id="tall"></div>
        <script>
        const said = [], stamps = [];
        for (const name of "\(Self.names)".split(" "))
          addEventListener(name, (event) => said.push(name));
        for (const name of "\(Self.names) keydown keyup pointermove touchmove".split(" "))
          addEventListener(name, (event) => {
            const late = performance.now() - event.timeStamp;
            if (!(late >= 0 && late < 300)) stamps.push(`${name} ${event.timeStamp} at ${performance.now()}`);
          }, { capture: true, passive: true });
        \(script)
        </script>
        """
      return try await TestRender.of(clock).render(
        html: html, TestRender.Options(limits: Limits(timeout: 40), scenario: steps, clock: clock))
    }

    private static let whole = "pointerdown,touchstart,pointerup,touchend,mousemove,mousedown,mouseup,click"

    @Test("that taps is told as on a phone, in both kinds of time", arguments: [RenderOptions.Clock.virtual, .real])
    @EngineActor func order(clock: RenderOptions.Clock) async throws {
      let result = try await play(
        """
        - tap: "#box"
        - expect: {evaluate: {"said.join()": "\(Self.whole)", "kinds.join()": "touch,touch"}}
        """, clock,
        script: """
          const kinds = [];
          for (const name of ["pointerdown", "pointerup"])
            box.addEventListener(name, (event) => kinds.push(event.pointerType));
          """)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }

    @Test(
      "that rests is there for as long as it is said, and doesn't click",
      arguments: [RenderOptions.Clock.virtual, .real])
    @EngineActor func rests(clock: RenderOptions.Clock) async throws {
      let result = try await play(
        """
        - press: {at: "#box", seconds: 1.2}
        - expect:
            evaluate:
              "said.join()": "pointerdown,touchstart,pointerup,touchend"
              "held >= 1200": true
        - tap: "#box"
        - expect: {evaluate: {"said.slice(4).join()": "\(Self.whole)"}}
        """, clock,
        script: """
          let down = 0, held = 0;
          box.addEventListener("touchstart", (event) => { if (!down) down = event.timeStamp; });
          box.addEventListener("touchend", (event) => { held ||= event.timeStamp - down; console.log(held); });
          """)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      let held = try #require(result.events("page/console").first?.detail["text"]?.string.flatMap(Double.init))
      let step = try #require(result.record.steps?.first)
      // The page feels no more than the step took; in virtual time a step takes what it says, to the frame.
      #expect(held <= step.end - step.start + 1 && (clock == .real || held < 1250), "\(held), \(step)")
      #expect(result.events.first { $0.name == "press" }?.detail["seconds"] == 1.2)
    }

    @Test("that moves a slider has it say what was chosen, and pans nothing sideways")
    @EngineActor func slider() async throws {
      let result = try await play(
        """
        - swipe: {over: "#slider", direction: right}
        - expect: {evaluate: {"told.join()": "change", "+slider.value > 60": true, "said.includes('pointercancel')": false}}
        """, .virtual,
        script: """
          const slider = Object.assign(document.createElement("input"), { type: "range", value: 0 });
          slider.style.width = "200px";
          document.body.prepend(slider);
          slider.id = "slider";
          const told = [];
          slider.addEventListener("change", (event) => told.push(event.type));
          """)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }

    @Test(
      "that rests asks for a context menu on Android, not on iOS, and not if it is short, moved or prevented",
      arguments: [RenderOptions.Clock.virtual, .real])
    @EngineActor func contextMenu(clock: RenderOptions.Clock) async throws {
      let long = "- press: {at: \"#box\", seconds: 1}"
      let cases = [
        ("pixel-8", long, "", "contextmenu touch true box"), ("iphone-15", long, "", ""), ("desktop", long, "", ""),
        ("pixel-8", "- press: {at: \"#box\", seconds: 0.2}\n- wait: {seconds: 1}", "", ""),
        ("pixel-8", "- swipe: {over: \"#box\", direction: left}\n- wait: {seconds: 1}", "", ""),
        ("pixel-8", long, "box.addEventListener('touchstart', (e) => e.preventDefault(), { passive: false });", ""),
      ]
      for (device, steps, script, heard) in cases {
        let result = try await TestRender.of(clock).render(
          html: """
            <!doctype html><meta name="ad.size" content="width=300,height=250">
            <style>* { margin: 0 } #box { width: 200px; height: 200px; touch-action: none }</style><div id="box"></div>
            <script>
            const heard = [];
            addEventListener("contextmenu", (event) => {
              heard.push([event.type, event.pointerType, event.cancelable, event.target.id].join(" "));
            });
            \(script)
            </script>
            """,
          TestRender.Options(
            device: device, limits: Limits(timeout: 40),
            scenario: steps + "\n- expect: {evaluate: {\"heard.join()\": \"\(heard)\"}}", clock: clock))
        #expect(result.record.outcome == .completed, "\(device), \(steps): \(result.record.message ?? "")")
      }
    }

    @Test("that pans is the browser's: its moves can't be prevented, and its target hears that it has lost it")
    @EngineActor func pan() async throws {
      let result = try await play(
        """
        - swipe: {over: "#list", direction: up}
        - expect:
            evaluate:
              "heard.join()": "gotpointercapture,pointercancel,lostpointercapture"
              "moves[0] && !moves.slice(1).some(Boolean) && moves.length > 5": true
              "list.scrollTop > 50": true
        """, .virtual,
        script: """
          const list = Object.assign(document.createElement("div"), { id: "list" });
          list.style.cssText = "position: fixed; left: 0; top: 0; width: 200px; height: 200px; overflow: auto";
          list.innerHTML = "<p style='height: 900px'>";
          document.body.append(list);
          const [heard, moves] = [[], []];
          for (const type of ["gotpointercapture", "lostpointercapture", "pointercancel"])
            list.addEventListener(type, () => heard.push(type));
          list.addEventListener("touchmove", (event) => {
            moves.push(event.cancelable);
            if (moves.length > 3) event.preventDefault();
          }, { passive: false });
          """)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }

    @Test("that leaves the app and comes back has the page hear of it in one order, and once")
    @EngineActor func background() async throws {
      for _ in 0..<3 {
        let result = try await play(
          """
          - background
          - foreground
          - advance: 0.5s
          - expect: {evaluate: {"heard.join()": "blur,hidden,focus,visible"}}
          """, .virtual,
          script: """
            const heard = [];
            for (const type of ["focus", "blur"]) addEventListener(type, ({ target }) => { if (target === window) heard.push(type); });
            document.addEventListener("visibilitychange", () => heard.push(document.visibilityState));
            """)
        #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      }
    }

    @Test(
      "has no element fill the screen in an app's web view",
      arguments: [
        ("iphone-15", "undefined  "), ("pixel-8", "function false TypeError"),
        ("desktop", "function false TypeError"),
      ])
    @EngineActor func fullScreen(device: String, told: String) async throws {
      let result = try await TestRender.shared.render(
        html: """
          <!doctype html><meta name="ad.size" content="width=300,height=250"><button id="go">go</button><script>
            let told = "";
            go.onclick = async () => {
              const answer = await go.requestFullscreen?.().then(() => "fulfilled", ({ name }) => name);
              told = [typeof go.requestFullscreen, document.fullscreenEnabled, answer].join(" ");
            };
          </script>
          """,
        TestRender.Options(
          device: device,
          scenario: """
            - tap: "#go"
            - advance: 0.5s
            - expect: {evaluate: {told: "\(told)"}}
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }

    @Test(
      "whose touch or pointer the page prevents has no click, or no mouse",
      arguments: [
        ("touchstart", "box", "{ passive: false }", "pointerdown,touchstart,pointerup,touchend"),
        ("touchend", "box", "{}", "pointerdown,touchstart,pointerup,touchend"),
        ("pointerdown", "box", "{}", "pointerdown,touchstart,pointerup,touchend,click"),
        ("touchstart", "box", "{ passive: true }", whole), ("touchstart", "document", "{}", whole),
        ("mousedown", "box", "{}", whole),
      ])
    @EngineActor func prevented(type: String, target: String, options: String, told: String) async throws {
      let result = try await play(
        """
        - tap: "#box"
        - expect: {evaluate: {"said.join()": "\(told)"}}
        - advance: 1s
        - tap: "#box"
        - expect: {evaluate: {"said.join()": "\(told),\(told)"}}
        """, .virtual,
        script: "\(target).addEventListener('\(type)', (event) => event.preventDefault(), \(options));")
      #expect(result.record.outcome == .completed, "\(type) of \(target): \(result.record.message ?? "")")
    }

    @Test("that the page has prevented once clicks again when it no longer does")
    @EngineActor func preventedOnce() async throws {
      let result = try await play(
        """
        - tap: "#box"
        - expect: {evaluate: {"said.includes('click')": false, "matched": false}}
        - tap: "#box"
        - expect: {evaluate: {"said.includes('click')": true}}
        """,
        script: """
          let matched = false;
          box.addEventListener("touchend", (event) => event.preventDefault(), { once: true });
          box.addEventListener("touchend", () => setTimeout(() => matched = box.matches(":hover"), 30), { once: true });
          """)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }

    @Test("that taps twice at once taps double; twice within a second it taps twice")
    @EngineActor func double() async throws {
      let result = try await play(
        """
        - tap: "#box"
        - advance: 1s
        - tap: "#box"
        - expect: {evaluate: {"said.includes('dblclick')": false, "said.filter((name) => name === 'click').length": 2}}
        - advance: 1s
        - evaluate: said.length = 0
        - tap: "#box"
        - tap: "#box"
        - expect: {evaluate: {"said.filter((name) => name.endsWith('click')).join()": "click,click,dblclick"}}
        """, .virtual)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }

    @Test(
      "that drags pans where touch-action lets it, and is the page's elsewhere; it never clicks, and has no wheel",
      arguments: [
        ("auto", "up", true), ("manipulation", "up", true), ("pan-y", "up", true), ("none", "up", false),
        ("pan-x", "up", false), ("pan-y", "left", false), ("pan-x pan-y", "up", true), ("pinch-zoom", "up", false),
      ])
    @EngineActor func drags(action: String, direction: String, pans: Bool) async throws {
      let result = try await play(
        """
        - swipe: {over: "#box", direction: \(direction)}
        - expect:
            evaluate:
              "said.join()": "pointerdown,touchstart,\(pans ? "pointercancel,touchend" : "pointerup,touchend")"
              "scrollY > 0": \(pans && direction == "up")
        """, .virtual, style: "touch-action: \(action)")
      #expect(result.record.outcome == .completed, "\(action), \(direction): \(result.record.message ?? "")")
    }

    @Test("and keys are stamped with the page's time", arguments: [RenderOptions.Clock.virtual, .real])
    @EngineActor func stamps(clock: RenderOptions.Clock) async throws {
      let result = try await play(
        """
        - wait: {seconds: 0.5}
        - tap: "#box"
        - swipe: {over: "#box", direction: up}
        - evaluate: scrollTo(0, 0)
        - type: {text: "a", into: "#field"}
        - expect: {evaluate: {"stamps.join('; ')": "", "said.includes('click')": true}}
        """, clock, script: "box.innerHTML = '<input id=field>';")
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }
  }
}

extension LiveWebKit {
  @Suite("A tap by selector")
  struct TapTargetTests {
    private func play(_ body: String, _ steps: String) async throws -> RenderedCreative {
      try await TestRender.shared.render(
        html: """
          <!doctype html><meta name="ad.size" content="width=300,height=250">
          <style>* { margin: 0 } #box { position: absolute; width: 200px; height: 200px; background: #c00 }</style>
          <script src="mraid.js"></script><script>window.said = [];</script>
          \(body)
          """, TestRender.Options(scenario: steps))
    }

    @Test("fails where another element would take it, and tells which; it goes on where that is meant")
    @EngineActor func covered() async throws {
      let body = """
        <div id="box" onclick="said.push('box')"></div>
        <div id="veil" style="position: absolute; width: 250px; height: 250px" onclick="said.push('veil')"></div>
        """
      let failed = try await play(body, "- tap: \"#box\"")
      #expect(failed.record.code == "element-covered")
      #expect(failed.record.message?.contains("#veil") == true, "\(failed.record.message ?? "")")
      let meant = try await play(
        body,
        """
        - tap: {selector: "#box", covered: true}
        - expect: {evaluate: {"said.join()": veil}, events: [{name: input/tap, detail: {takenBy: "#veil"}}]}
        """)
      #expect(meant.record.outcome == .completed, "\(meant.record.message ?? "")")
    }

    @Test("fails where the browser lies over the ad")
    @EngineActor func browser() async throws {
      let failed = try await play(
        "<div id=\"box\" onclick=\"mraid.open('https://hedgerow.example/')\"></div>",
        """
        - tap: "#box"
        - wait: {event: modal/push}
        - tap: "#box"
        """)
      #expect(failed.record.code == "element-covered")
      #expect(failed.record.message?.contains("the browser") == true, "\(failed.record.message ?? "")")
    }

    @Test("reaches what is within, around or labels the element, and what frames and shadow trees have")
    @EngineActor func reached() async throws {
      let result = try await play(
        """
        <div id="box" onclick="said.push('box')"><img style="width: 100%; height: 100%" alt=""></div>
        <input id="tick" type="checkbox" style="position: absolute; top: 210px"><label for="tick"
          style="position: absolute; top: 200px; width: 60px; height: 40px"></label>
        <div id="host" style="position: absolute; left: 210px"></div>
        <iframe id="frame" style="position: absolute; left: 210px; top: 60px; width: 80px; height: 60px"
          srcdoc="<button id=inner onclick='parent.said.push(`frame`)'>f</button>"></iframe>
        <script>
        const root = host.attachShadow({ mode: "closed" });
        root.innerHTML = "<button id=deep>d</button>";
        root.firstChild.onclick = (event) => said.push("deep " + event.composedPath().includes(root));
        host.onclick = (event) => said.push(event.composedPath().includes(root), host.shadowRoot, root.mode);
        </script>
        """,
        """
        - tap: "#box"
        - tap: "#tick"
        - tap: "#inner"
        - tap: "#deep"
        - expect: {evaluate: {"said.join()": "box,frame,deep true,false,,closed", tick.checked: true}}
        """)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }
  }
}

extension LiveWebKit {
  @Suite("Web Audio")
  struct WebAudioTests {
    private static let page = """
      <!doctype html><meta name="ad.size" content="width=300,height=250">
      <div id="box" style="width: 200px; height: 200px"></div>
      <script>
      const context = new AudioContext(), tone = context.createOscillator();
      const seen = [];
      tone.connect(context.destination);
      tone.start();
      context.resume().then(() => seen.push("early"));
      box.onclick = () => {
        context.resume().then(() => seen.push(context.state));
        const own = new AudioContext();
        setTimeout(() => seen.push("own " + own.state), 200);
      };
      </script>
      """

    @Test("is silent until a touch and runs from one on", arguments: [RenderOptions.Clock.virtual, .real])
    @EngineActor func silent(clock: RenderOptions.Clock) async throws {
      let result = try await TestRender.of(clock).render(
        html: Self.page,
        TestRender.Options(
          limits: Limits(timeout: 40),
          scenario: """
            - advance: 1s
            - expect: {evaluate: {context.state: suspended, context.currentTime: 0, "seen.join()": ""}}
            - tap: "#box"
            - advance: 1s
            - expect: {evaluate: {context.state: running, "seen.join()": "early,running,own running"}}
            - expect: {evaluate: {"context.currentTime > 0.5": true}}
            """, clock: clock))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }

    @Test(
      "that runs unasked is heard where a source reaches the speaker, and nowhere else",
      arguments: [
        ("tone.connect(context.destination); tone.start()", true), ("tone.connect(context.destination)", false),
        ("tone.start()", false), ("tone.connect(gain); gain.connect(context.destination); tone.start()", true),
        ("gain.gain.value = 0; tone.connect(gain); gain.connect(context.destination); tone.start()", false),
        ("gain.gain.setValueAtTime(0, 0); tone.connect(gain).connect(context.destination); tone.start()", false),
        ("gain.gain.value = 0; gain.gain.linearRampToValueAtTime(1, 9); through(gain)", true),
        ("const empty = context.createBufferSource(); empty.buffer = silence(); through(empty, empty)", false),
        ("tone.connect(context.destination); tone.start(); tone.stop()", false),
        ("tone.connect(context.destination); tone.start(); tone.disconnect()", false),
      ])
    @EngineActor func heard(script: String, isHeard: Bool) async throws {
      for clock in [RenderOptions.Clock.virtual, .real] {
        var options = TestRender.Options(limits: Limits(timeout: 40), measures: true, watch: 0.6, clock: clock)
        let difference = ContainerDifference(
          what: .audioNeedsTouch, value: false, note: "n", source: "https://example.com/", date: "2026-01-31")
        options.container = try ContainerProfile(name: "one", title: "One", differences: [difference])
        let result = try await TestRender.of(clock).render(
          html: """
            <!doctype html><meta name="ad.size" content="width=300,height=250"><body>ad<script>
            const context = new AudioContext(), tone = context.createOscillator(), gain = context.createGain();
            const silence = () => context.createBuffer(1, 44100 * 9, 44100);
            const through = (node, source = tone) => {
              if (source !== node) source.connect(node);
              node.connect(context.destination);
              source.start();
            };
            \(script)
            </script>
            """, options)
        #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
        let media = try result.measurements().pages.first?.document?.media ?? []
        let sounds = media.filter { $0.selector == "AudioContext" && $0.isPlaying && $0.isAudible }
        #expect(sounds.isEmpty == !isHeard, "\(clock): \(script)")
      }
    }
  }
}
