import Engine
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("A script call", .timeLimit(.minutes(1)))
  struct ScriptTests {
    @Test(
      "returns JSON",
      arguments: [
        ("return 1 + 1", "2"), ("return 'a\"b'", #""a\"b""#), ("return [1, null, {a: true}]", #"[1,null,{"a":true}]"#),
        ("return null", "null"), ("", "null"), ("return await Promise.resolve(7)", "7"),
        ("return await new Promise((done) => setTimeout(() => done('late'), 5))", #""late""#),
      ])
    @EngineActor func results(script: String, json: String) async throws {
      let page = LivePage(html: "x")
      #expect(await page.open())
      #expect(try await page.view.call(script) == json)
    }

    @Test("passes strings as they are")
    @EngineActor func arguments() async throws {
      let page = LivePage(html: "x")
      #expect(await page.open())
      let odd = "\"'\\ \n \u{1F600} </script> ü"
      let answer = try await page.view.call(
        "return [a === String.fromCodePoint(...b.split(',')), a.length]",
        [
          "a": odd, "b": odd.unicodeScalars.map { String($0.value) }.joined(separator: ","),
        ])
      #expect(answer == "[true,\(odd.utf16.count)]")
    }

    @Test(
      "says what the script threw",
      arguments: [
        "throw new Error('broken')", "return await Promise.reject(new Error('broken'))", "broken(",
      ])
    @EngineActor func throwing(script: String) async throws {
      let page = LivePage(html: "x")
      #expect(await page.open())
      let error = try await #require(throws: ScriptError.self) { _ = try await page.view.call(script) }
      #expect(error.description.contains("broken") || error.description.contains("SyntaxError"))
    }

    @Test("in the host's world doesn't see what a page broke, in the page's it does")
    @EngineActor func worlds() async throws {
      let page = LivePage(
        html: "<script>JSON.stringify = () => 'hacked'; Array.prototype.map = null; var mine = 5</script>")
      #expect(await page.open())
      #expect(try await page.view.call("return [JSON.stringify({a: 1}), typeof mine]") == #"["{\"a\":1}","undefined"]"#)
      #expect(try await page.view.call("return [JSON.stringify({a: 1}), mine]", world: .page) == #"["hacked",5]"#)
    }

    @Test("ends when its task is cancelled, though the script never does")
    @EngineActor func cancelled() async throws {
      let page = LivePage(html: "x")
      #expect(await page.open())
      let call = Task { @EngineActor in try await page.view.call("await new Promise(() => {})") }
      await EngineActor.run {}
      call.cancel()
      await #expect(throws: ScriptError.self) { try await call.value }
      #expect(try await page.view.call("return 1") == "1")
    }

    @Test("ends when its task was cancelled before")
    @EngineActor func cancelledBefore() async throws {
      let page = LivePage(html: "x")
      #expect(await page.open())
      let call = Task { @EngineActor in
        withUnsafeCurrentTask { $0?.cancel() }
        return try await page.view.call("await new Promise(() => {})")
      }
      await #expect(throws: ScriptError.self) { try await call.value }
    }

    @Test("ends when the web process does")
    @EngineActor func terminated() async throws {
      let page = LivePage(html: "x")
      #expect(await page.open())
      let call = Task { @EngineActor in try await page.view.call("await new Promise(() => {})") }
      await EngineActor.run {}
      page.view.terminate()
      await #expect(throws: ScriptError.self) { try await call.value }
    }

    @Test("ends when the page goes elsewhere")
    @EngineActor func navigated() async throws {
      let page = LivePage(["index.html": "x", "next.html": "y"])
      #expect(await page.open())
      let call = Task { @EngineActor in try await page.view.call("await new Promise(() => {})") }
      await EngineActor.run {}
      page.view.load("creative://test/next.html")
      await #expect(throws: ScriptError.self) { try await call.value }
    }
  }
}
