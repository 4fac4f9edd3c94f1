import Core
import Engine
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("Input")
  struct InputTests {
    /// Posts every pointer, mouse, touch and click event with what the page sees of it.
    private static let listener = """
      <!doctype html><body style="margin:0;height:100vh">
      <script>
      const log = [];
      for (const name of ["touchstart", "touchmove", "touchend", "mousedown", "mouseup", "mousemove", "click"]) {
        addEventListener(name, (event) => {
          const at = event.changedTouches ? event.changedTouches[0] : event;
          log.push({ name, trusted: event.isTrusted, active: navigator.userActivation.isActive,
                     x: Math.round(at.clientX), y: Math.round(at.clientY) });
          if (name === "click") say("click");
        });
      }
      </script>
      """

    @EngineActor private func log(_ page: LivePage, _ expression: String) async throws -> String {
      try await page.view.call("return \(expression)", world: .page)
    }

    @Test("by finger is trusted, and a click follows its touch at the same place")
    @EngineActor func touch() async throws {
      let page = LivePage(html: Self.listener)
      #expect(await page.open())
      await page.view.tap(x: 30, y: 20)
      #expect(await page.says("click"))
      #expect(
        try await log(page, "log.filter((e) => /touch|click/.test(e.name)).map((e) => e.name).join()")
          == "\"touchstart,touchend,click\"")
      #expect(try await log(page, "log.every((e) => e.trusted)") == "true")
      #expect(try await log(page, "log.every((e) => e.x === 30 && e.y === 20)") == "true")
      #expect(try await log(page, "log.find((e) => e.name === 'click').active") == "true")
    }

    @Test("by mouse is trusted, with a click and no touch")
    @EngineActor func mouse() async throws {
      let page = LivePage(html: Self.listener, touch: false)
      #expect(await page.open())
      page.view.input.mouse(.move, x: 60, y: 50)
      page.view.input.mouse(.down, x: 60, y: 50)
      page.view.input.mouse(.up, x: 60, y: 50)
      #expect(await page.says("click"))
      #expect(try await log(page, "log.map((e) => e.name).join()") == "\"mousemove,mousedown,mouseup,click\"")
      #expect(try await log(page, "log.every((e) => e.trusted && e.x === 60 && e.y === 50)") == "true")
      #expect(try await log(page, "log.find((e) => e.name === 'click').active") == "true")
    }

    @Test("by keys has the codes and letters of a US keyboard, and letters that it lacks")
    @EngineActor func keys() async throws {
      let text = "aZ1!<'\\~ \né"
      let page = LivePage(
        html: """
          <input autofocus><script>
          const log = [];
          let released = 0;
          addEventListener("keydown", (event) =>
            log.push(`${event.key} ${event.code} ${event.shiftKey ? "Shift" : ""}`));
          addEventListener("keyup", () => {
            released += 1;
            if (released === \(text.unicodeScalars.count)) say("typed");
          });
          </script>
          """)
      #expect(await page.open())
      page.view.input.focus()
      for character in text.unicodeScalars { page.view.input.key(character) }
      #expect(await page.says("typed"))
      let typed = [
        "a KeyA ", "Z KeyZ Shift", "1 Digit1 ", "! Digit1 Shift", "< Comma Shift", "' Quote ", "\\\\ Backslash ",
        "~ Backquote Shift", "  Space ", "Enter Enter ", "é Unidentified ",
      ]
      #expect(try await log(page, "log.join()") == "\"\(typed.joined(separator: ","))\"")
    }

    @Test("lands where it should at every scale", arguments: [1, 2, 3])
    @EngineActor func scales(scale: Int) async throws {
      let page = LivePage(html: Self.listener, scale: scale)
      #expect(await page.open())
      await page.view.tap(x: 90, y: 70)
      #expect(await page.says("click"))
      #expect(try await log(page, "log.every((e) => e.x === 90 && e.y === 70)") == "true")
    }

    @Test("by a finger that moves is no click and no mouse")
    @EngineActor func swipe() async throws {
      let page = LivePage(html: Self.listener)
      #expect(await page.open())
      page.view.input.drag(.down, x: 80, y: 40)
      for step in 1...6 {
        page.view.input.drag(.move, x: 80 - Double(step) * 10, y: 40)
        try await page.twoFrames()
      }
      page.view.input.drag(.up, x: 20, y: 40)
      try await page.twoFrames()
      let names = try await log(page, "[...new Set(log.map((e) => e.name))].join()")
      #expect(names == "\"touchstart,touchmove,touchend\"")
      #expect(try await log(page, "log.at(-1).x") == "20")
    }

    @Test("gives two taps two clicks")
    @EngineActor func twoTaps() async throws {
      let page = LivePage(html: Self.listener)
      #expect(await page.open())
      for _ in 0..<2 {
        await page.view.tap(x: 30, y: 20)
        try await page.twoFrames()
      }
      #expect(try await log(page, "log.filter((e) => e.name === 'click').length") == "2")
    }

    @Test(
      "by keys lands in the field with the focus, trusted",
      arguments: [
        "abc XYZ 123", "a@b.example!?", "äöü ß €", "Hello, World: (1+2)*3 = 9;",
      ])
    @EngineActor func keys(text: String) async throws {
      let page = LivePage(
        html: """
          <!doctype html><input id="field" style="position:absolute;left:0;top:0;width:90px;height:30px">
          <script>
          let trusted = true;
          field.addEventListener("input", (event) => {
            trusted = trusted && event.isTrusted;
            say(field.value);
          });
          </script>
          """)
      #expect(await page.open())
      await page.view.tap(x: 20, y: 15)
      try await page.twoFrames()
      page.view.input.focus()
      for character in text.unicodeScalars { page.view.input.key(character) }
      #expect(await page.says(text))
      #expect(try await page.view.call("return trusted", world: .page) == "true")
    }

    @Test("by the return key submits a form")
    @EngineActor func returnKey() async throws {
      let page = LivePage(
        html: """
          <form onsubmit="say('sent ' + field.value); return false">
          <input id="field" autofocus></form>
          """)
      #expect(await page.open())
      _ = try await page.view.call("document.querySelector('input').focus()")
      page.view.input.focus()
      for character in "go\n".unicodeScalars { page.view.input.key(character) }
      #expect(await page.says("sent go"))
    }

    @Test("before a page is there does no harm")
    @EngineActor func early() async {
      let page = LivePage(html: Self.listener)
      page.view.input.drag(.down, x: 1, y: 1)
      page.view.input.mouse(.down, x: 1, y: 1)
      page.view.input.key("a")
      page.view.input.focus()
      #expect(await page.open())
    }
  }
}

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
    @EngineActor func attribute() async throws {
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
    @EngineActor func slow() async throws {
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
    @EngineActor func script() async throws {
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
    @EngineActor func added() async throws {
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
