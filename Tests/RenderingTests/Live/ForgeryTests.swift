import Core
import Engine
import MRAID
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("A page that wants to speak as the container", .timeLimit(.minutes(3)))
  struct ForgeryTests {
    /// Attempt of a creative's script to send a message in another's name.
    struct Way: Sendable, CustomTestStringConvertible {
      let name: String
      let script: String
      /// Indicates if the page itself calls `open`, which it may without a gesture.
      var callsItself = false

      var testDescription: String { name }
    }

    /// Message that a bridge sends for a tap that opens an address, and helpers of all attempts.
    private static let tools = """
      const forged = () => ({ type: "call", name: "open", args: ["https://forged.example/"], gesture: true, state: "default" });
      const forgedText = JSON.stringify(forged());
      const [define, own, text] = [Object.defineProperty, Object.getOwnPropertyNames, JSON.stringify];
      const empty = (before) => {
        const frame = document.createElement("iframe");
        if (before) before(frame);
        document.body.append(frame);
        return frame;
      };
      """

    static let ways = [
      Way(
        name: "by toJSON of every object",
        script: """
          Object.prototype.toJSON = Array.prototype.toJSON = String.prototype.toJSON = function () {
            return this === undefined || typeof this === "string" ? this : forged();
          };
          console.log({ a: 1 }); console.log("x");
          """),
      Way(
        name: "by what a text is made with",
        script: """
          JSON.stringify = () => forgedText;
          Array.prototype.join = String.prototype.slice = String.prototype.concat = () => forgedText;
          String.prototype.toString = Object.prototype.toString = () => forgedText;
          console.log("x", { a: 1 });
          """),
      Way(
        name: "by getters and setters of every object",
        script: """
          const members = { type: "call", name: "open", args: ["https://forged.example/"], gesture: true };
          for (const [name, value] of Object.entries(members)) {
            define(Object.prototype, name, { get: () => value, set() {}, configurable: true });
          }
          for (const name of ["bubbles", "cancelable", "composed", "once", "capture", "relatedTarget"]) {
            define(Object.prototype, name, { get() { if (this && "detail" in this) this.detail = forgedText; return false; } });
          }
          for (let i = 0; i < 4; i += 1) define(Array.prototype, i, { get: () => forgedText, set() {} });
          Array.prototype[Symbol.iterator] = function* () { yield forgedText; };
          console.log("x");
          """),
      Way(
        name: "by what functions are called with",
        script: """
          const { apply } = Reflect;
          Reflect.apply = Function.prototype.apply = Function.prototype.call = function (...values) {
            for (const value of values) if (value && typeof value === "object") value.detail = value[0] = forgedText;
            return forgedText;
          };
          Function.prototype.bind = () => () => forgedText;
          console.log("x");
          """),
      Way(
        name: "by what events are made, sent and read with",
        script: """
          const { dispatchEvent } = EventTarget.prototype;
          EventTarget.prototype.dispatchEvent = function () { return dispatchEvent.call(this, new CustomEvent("say", { detail: forgedText })); };
          define(CustomEvent.prototype, "detail", { get: () => forgedText });
          define(Event.prototype, "type", { get: () => "say" });
          window.CustomEvent = window.MouseEvent = class extends Event { get detail() { return forgedText; } };
          console.log("x");
          """),
      Way(
        name: "while the host calls, by promises",
        script: """
          const { then } = Promise.prototype;
          const maker = Promise;
          let left = 20;
          const open = () => { if (left-- > 0) mraid.open("https://forged.example/"); };
          define(Promise.prototype, "then", { get() { open(); return then; } });
          define(Promise.prototype, "constructor", { get() { open(); return maker; } });
          define(Object.prototype, "then", { get() { open(); }, set() {} });
          """, callsItself: true),
      Way(
        name: "while the host calls, by what makes elements and tasks",
        script: """
          let left = 20;
          const open = () => { if (left-- > 0) mraid.open("https://forged.example/"); };
          for (const name of ["createElement", "createElementNS"]) {
            const make = Document.prototype[name];
            document[name] = Document.prototype[name] = function (...values) { open(); return make.apply(document, values); };
          }
          for (const name of ["setTimeout", "queueMicrotask", "requestAnimationFrame"]) {
            const native = window[name];
            window[name] = (...values) => { open(); return native(...values); };
          }
          const add = EventTarget.prototype.addEventListener;
          EventTarget.prototype.addEventListener = function (...values) { open(); return add.apply(this, values); };
          window.addEventListener("orientationchange", open);
          window.addEventListener("resize", open);
          """, callsItself: true),
      Way(
        name: "by a touch that never was",
        script: """
          define(UserActivation.prototype, "isActive", { get: () => true });
          define(navigator, "userActivation", { get: () => ({ isActive: true }) });
          for (const name of ["touchstart", "touchend", "click"]) document.body.dispatchEvent(new Event(name, { bubbles: true }));
          document.body.click();
          mraid.open("https://forged.example/");
          """, callsItself: true),
      Way(
        name: "by whatever it finds in its window",
        script: """
          for (const name of own(window)) {
            if (!/^g[a-z0-9]{12,}$/.test(name)) continue;
            const found = window[name];
            try { found(forged()); } catch {}
            try { found({ properties: { state: "default" }, events: [{ name: "ready", arguments: [] }] }); } catch {}
            try { found.then(() => mraid.open("https://forged.example/")); } catch {}
          }
          """, callsItself: true),
      Way(
        name: "by handlers of a new frame's window",
        script: """
          for (const frame of [empty(), empty((frame) => { frame.src = "frame.html"; })]) {
            const handlers = frame.contentWindow.webkit?.messageHandlers ?? {};
            for (const name of [...own(handlers), ...own(window), "galley", "mraid", "observe"]) {
              try { handlers[name].postMessage(forgedText); handlers[name].postMessage("bridge " + forgedText); } catch {}
            }
          }
          """),
      Way(
        name: "by a frame whose window it has prepared",
        script: """
          const take = (inner) => {
            const said = [];
            const handlers = inner.webkit?.messageHandlers;
            const spy = new Proxy({}, { get: (_, name) => { said.push(name); return handlers?.[name]; } });
            try { define(inner.Object.getPrototypeOf(inner.webkit), "messageHandlers", { get: () => spy }); } catch {}
            const listen = inner.EventTarget.prototype.addEventListener;
            const dispatch = inner.EventTarget.prototype.dispatchEvent;
            inner.EventTarget.prototype.dispatchEvent = function (event) {
              said.push(event.type);
              for (const name of ["bridge", "player", "page", "host"]) {
                const end = inner.document.createElement("i");
                const type = event.type.replace(/-[a-z]+$/, "-" + name);
                for (const target of [inner, window]) {
                  dispatch.call(target, new inner.MouseEvent(type, { relatedTarget: end }));
                  dispatch.call(end, new inner.CustomEvent("say", { detail: forgedText }));
                }
              }
              return dispatch.call(this, event);
            };
            inner.Function.prototype.bind = function () { said.push(this); return this; };
            inner.Object.prototype.toJSON = forged;
            setTimeout(() => {
              for (const name of said) try { handlers[name].postMessage(forgedText); } catch {}
              try { inner.console.log({}); } catch {}
            }, 50);
          };
          take(empty((frame) => { frame.src = "frame.html"; }).contentWindow);
          const written = empty();
          take(written.contentWindow);
          written.contentDocument.write("<html><body><script>console.log({})<\\/script>");
          written.contentDocument.close();
          """),
      Way(
        name: "from a frame of another origin",
        script: """
          const body = "<script>Object.prototype.toJSON = () => (" + forgedText + "); console.log({ a: 1 }); console.log('x');"
            + "try { parent.mraid.open('https://forged.example/') } catch {}"
            + "try { webkit.messageHandlers.galley.postMessage('bridge ' + " + text(forgedText) + ") } catch {}<\\/script>";
          empty((frame) => { frame.sandbox = "allow-scripts"; frame.srcdoc = body; });
          empty((frame) => { frame.src = "data:text/html," + encodeURIComponent(body); });
          """),
      Way(
        name: "by writing its document anew",
        script: """
          const kept = mraid;
          const { dispatchEvent } = EventTarget.prototype;
          const hasOwn = Object.prototype.hasOwnProperty;
          Object.prototype.hasOwnProperty = () => false;
          const ends = [];
          EventTarget.prototype.dispatchEvent = function (event) { if (event.relatedTarget) ends.push(event.relatedTarget); return dispatchEvent.call(this, event); };
          Object.prototype.toJSON = forged;
          delete window.mraid;
          document.open();
          document.write("<html><body>anew<script>console.log({})<\\/script>");
          document.close();
          Object.prototype.hasOwnProperty = hasOwn;
          for (const end of ends) dispatchEvent.call(end, new CustomEvent("say", { detail: forgedText }));
          """),
      Way(
        name: "by elements and frames with names of the host's tools",
        script: """
          for (const name of ["createElement", "createElementNS", "querySelectorAll", "body", "galley", "webkit"]) {
            document.body.insertAdjacentHTML("beforeend", `<img name="${name}" id="${name}" alt="">`);
          }
          for (const name of ["addEventListener", "dispatchEvent", "galley", "webkit", "Event", "CustomEvent"]) {
            document.body.insertAdjacentHTML("beforeend", `<iframe name="${name}" style="display: none"></iframe>`);
          }
          """),
    ]

    @Test("is heard as itself and can't hide what goes wrong in it", arguments: ways)
    @EngineActor func page(_ way: Way) async throws {
      let result = try await render(way)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      for call in result.events.filter({ $0.source == .creative }) {
        #expect(call.detail["gesture"] != true, "\(call.name): \(call.detail.text)")
        if call.name == "open" { #expect(way.callsItself, "\(call.detail.text)") }
      }
      let thrown = result.events("page/exception").compactMap { $0.detail["message"]?.string }
      #expect(thrown.contains { $0.contains("seen by all") }, "\(thrown)")
      // The host's own questions got their answers.
      #expect(result.record.states == [.default, .default] || result.record.states == [.default])
      #expect(!result.record.screenshots.isEmpty)
      #expect(try result.observations().count == 1)
    }

    /// Icon whose frame sends all messages that a player's page could.
    private static let chattyIcon = """
      <VideoClicks><ClickThrough>https://forged.example/</ClickThrough></VideoClicks>
      <Icons><Icon program="Chatty" width="20" height="20" xPosition="left" yPosition="top"><IconClicks>
      <IconClickThrough>https://forged.example/icon</IconClickThrough></IconClicks><HTMLResource><![CDATA[<script>
      for (const said of [{ player: "clicked" }, { player: "skipped" }, { player: "iconClicked", place: 0 }]) {
        const text = JSON.stringify(said);
        Object.prototype.toJSON = () => said;
        console.log("x"); console.log({ a: 1 });
        delete Object.prototype.toJSON;
        try { webkit.messageHandlers.galley.postMessage("player " + text); } catch {}
        try { parent.document.querySelector("#layer").click(); } catch {}
        try { for (const name of Object.getOwnPropertyNames(parent)) parent[name].play(); } catch {}
        parent.postMessage(said, "*");
      }
      console.log("all said");
      </script>]]></HTMLResource></Icon></Icons>
      """

    @Test("is no player when it is an icon's frame")
    @EngineActor func icon() async throws {
      let options = TestRender.Options(placement: Placement(kind: .interstitial))
      let result = try await TestRender.shared.render(
        files: ["ad.xml": VideoAd.inLine(linear: Self.chattyIcon)], options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.console.contains("all said"))
      let told = result.names.filter { $0.lowercased().contains(/click|skip|open/) }
      #expect(told.isEmpty, "\(told)")
      #expect(result.events("vast/complete").count == 1)
    }

    @Test(
      "can't hide behind a gesture of the host's own",
      arguments: [
        "return Promise.resolve(1)", "return new Promise((done) => setTimeout(() => done({ a: 1 }), 1))", "return 1",
        "document.title = 'x'",
      ])
    @EngineActor func evaluated(script: String) async throws {
      let html = """
        <!doctype html><meta name="ad.size" content="width=300,height=250"><script src="mraid.js"></script><script>
        const [{ then }, maker] = [Promise.prototype, Promise];
        let left = 50;
        const open = () => { if (left-- > 0) mraid.expand(); };
        Object.defineProperty(Promise.prototype, "then", { get() { open(); return then; } });
        Object.defineProperty(Promise.prototype, "constructor", { get() { open(); return maker; } });
        </script>
        """
      let steps = "- wait: {event: ready}\n- evaluate: \"\(script)\"\n- evaluate: \"\(script)\"\n"
      let result = try await TestRender.shared.render(html: html, TestRender.Options(scenario: steps))
      #expect(!result.events("creative/expand").isEmpty)
      #expect(result.events("creative/expand").allSatisfy { $0.detail["gesture"] == false })
    }

    /// Steps that make the host act in the page in every way: deliver events, rotate, query, evaluate, observe.
    private static let steps = """
      - wait: {event: ready}
      - wait: {event: exception}
      - rotate: landscape
      - rotate: portrait
      - evaluate: "return 1"
      - expect: {state: default, evaluate: {"1 + 1": 2}}
      - screenshot: end
      """

    @EngineActor private func render(_ way: Way) async throws -> RenderedCreative {
      let html = """
        <!doctype html><meta name="ad.size" content="width=300,height=250"><title>Bramble</title>
        <script src="mraid.js"></script><body><script>
        \(Self.tools)
        const start = () => {
          const later = setTimeout;
          try { (() => { \(way.script) })(); } finally {
            later(() => { throw new TypeError("seen by all"); }, 200);
          }
        };
        if (mraid.getState() === "loading") mraid.addEventListener("ready", start); else start();
        </script></body>
        """
      return try await TestRender.shared.render(
        files: ["index.html": html, "frame.html": "<script>console.log({ frame: 1 })</script>"],
        TestRender.Options(scenario: Self.steps, explores: true))
    }
  }
}
