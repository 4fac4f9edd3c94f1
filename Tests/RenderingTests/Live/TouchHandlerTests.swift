import Jobs
import MRAID
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("A touch handler")
  struct TouchHandlerTests {
    private func render(_ body: String, _ scenario: String) async throws -> RenderedCreative {
      try await TestRender.shared.render(
        html: """
          <!doctype html><meta name="ad.size" content="width=300,height=250">
          <style>* { margin: 0 } #box { position: absolute; width: 200px; height: 200px; background: #c00 }</style>
          \(body)
          """, TestRender.Options(scenario: scenario))
    }

    @Test("in an attribute hears its finger, with the event, the element and the document at hand")
    @WebKitActor func attribute() async throws {
      let result = try await render(
        """
        <div id="box" title="t" ontouchstart="note('start', event.type, this.id, event.touches.length, title)"
          ontouchmove="note('move')" ontouchend="note('end', getElementById('box') === this)"></div>
        <script>window.said = []; const note = (...words) => said.push(words.join(" "));</script>
        """,
        """
        - tap: "#box"
        - expect: {evaluate: {'said.join("|")': start touchstart box 1 t|end true}}
        - swipe: {from: {x: 150, y: 400}, to: {x: 150, y: 440}}
        - expect: {evaluate: {'said.includes("move")': true}}
        """)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }

    @Test("that takes its time has its click before the next step, and what the click calls is the person's")
    @WebKitActor func slow() async throws {
      let result = try await render(
        """
        <script src="mraid.js"></script>
        <div id="box"></div>
        <script>
        const isBusy = () => { const end = performance.now() + 60; while (performance.now() < end); };
        for (const name of ["touchstart", "touchend", "mousemove", "mousedown", "mouseup"])
          box.addEventListener(name, isBusy);
        box.addEventListener("click", () => { isBusy(); mraid.open("https://hedgerow.example/"); });
        </script>
        """,
        """
        - tap: "#box"
        - evaluate: mraid.getState()
        """)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      let calls = result.events.filter { $0.source == .creative && ["open", "getState"].contains($0.name) }
      #expect(calls.map(\.name) == ["open", "getState"])
      #expect(calls.first?.detail["gesture"] == .bool(true))
    }

    @Test("set, changed and removed by script is the one that counts, whichever way it was set last")
    @WebKitActor func script() async throws {
      let result = try await render(
        """
        <div id="box" ontouchstart="said.push('old')"></div>
        <script>
        window.said = [];
        const kinds = [typeof box.ontouchstart];
        box.ontouchstart = () => said.push("property");
        kinds.push(typeof box.ontouchstart, box.ontouchend);
        </script>
        """,
        """
        - expect: {evaluate: {kinds: [function, function, null]}}
        - tap: "#box"
        - expect: {evaluate: {said: [property]}}
        - evaluate: box.setAttribute("ontouchstart", "said.push('new')")
        - tap: "#box"
        - expect: {evaluate: {said: [property, new]}}
        - evaluate: box.removeAttribute("ontouchstart")
        - tap: "#box"
        - expect: {evaluate: {said: [property, new], box.ontouchstart: null}}
        """)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }

    @Test("in markup that script adds hears its finger")
    @WebKitActor func added() async throws {
      let result = try await render(
        """
        <body><script>
        window.said = [];
        addEventListener("click", () => said.push("click"));
        document.body.innerHTML = `<p><svg id="box" ontouchstart="said.push(this.nodeName)"></svg></p>`;
        </script>
        """,
        """
        - tap: "#box"
        - expect: {evaluate: {"said[0]": svg}}
        """)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }
  }
}
