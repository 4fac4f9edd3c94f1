import Checks
import Core
import Engine
import Foundation
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("How often things are asked for")
  struct RequestCountTests {
    /// Page that uses each of its images repeatedly, during the load and after it.
    private static let page = """
      <!doctype html><html lang="en"><title>Repeats</title>
      <link rel="preload" as="image" href="preloaded.svg"><script src="first.js"></script>
      <style>div { height: 9px; background: url(background.svg) }
      .again { background: url(background.svg) 2px 2px }</style>
      <img src="thrice.svg" alt=""><img src="thrice.svg" alt=""><img src="thrice.svg" alt="">
      <img src="preloaded.svg" alt=""><div></div><p class="again">Hello</p>
      <script src="second.js"></script><img src="pixel.svg" alt="">
      <script>
      onload = () => setTimeout(() => {
        const late = new Image();
        late.onload = () => console.log("done");
        late.src = "thrice.svg";
        document.body.append(late);
      }, 30);
      </script>
      """
    private static let names = [
      "background.svg", "first.js", "pixel.svg", "preloaded.svg", "second.js", "thrice.svg",
    ]

    private static func body(of name: String) -> String {
      name.hasSuffix(".js")
        ? "globalThis.ran = true;" : #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#
    }

    private static let scenario = "- wait: {event: console, timeout: 8}"

    /// Returns the last part of each address in the log except the document's, sorted.
    private static func asked(_ result: RenderedCreative) -> [String] {
      result.events("network/resource").compactMap { $0.detail["url"]?.string }
        .compactMap { $0.split(separator: "/").last.map(String.init) }.filter { names.contains($0) }.sorted()
    }

    @Test("own files are asked for once, with either clock", arguments: [RenderOptions.Clock.real, .virtual])
    @EngineActor func own(clock: RenderOptions.Clock) async throws {
      var files = Dictionary(uniqueKeysWithValues: Self.names.map { ($0, Self.body(of: $0)) })
      files["index.html"] = Self.page
      let render = TestRender(extensionDirectory: WebExtension.folder)
      let options = TestRender.Options(scenario: Self.scenario, measures: true, watch: 0.2, clock: clock)
      let result = try await render.render(files: files, options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(Self.asked(result) == Self.names)
      let measured = try result.measurements().resources.map { $0.url.split(separator: "/").last.map(String.init) }
      #expect(measured.count == Self.names.count + 1, "\(measured)")
    }

    @Test(
      "what a web server has is asked for once, whatever it says of keeping it",
      arguments: [nil, "max-age=60", "no-store"])
    @EngineActor func served(keeping: String?) async throws {
      let server = try Self.server(keeping: keeping)
      let options = TestRender.Options(scenario: Self.scenario)
      let result = try await TestRender.shared.render(url: server.url("/ad/"), options)
      let counts = Dictionary(grouping: server.requests.map(\.path), by: \.self).mapValues(\.count)
      for name in Self.names {
        // What is used again after the load may have to be asked for anew, unless the server lets it be kept.
        let most = name == "thrice.svg" && keeping != "max-age=60" ? 2 : 1
        #expect((1...most).contains(counts["/ad/\(name)"] ?? 0), "\(name): \(counts)")
      }
      #expect(Self.asked(result).count == server.requests.filter { $0.path != "/ad/" }.count)
    }

    @Test("the next creative is asked for everything anew", arguments: RenderOptions.Isolation.allCases)
    @EngineActor func nextRender(isolation: RenderOptions.Isolation) async throws {
      let server = try Self.server(keeping: "max-age=1000")
      let render = TestRender()
      let options = TestRender.Options(isolation: isolation, scenario: Self.scenario)
      for round in 1...3 {
        let result = try await render.render(url: server.url("/ad/"), options)
        #expect(Self.asked(result) == Self.names)
        let counts = Dictionary(grouping: server.requests.map(\.path), by: \.self).mapValues(\.count)
        for name in Self.names { #expect(counts["/ad/\(name)"] == round, "\(name), render \(round)") }
      }
    }

    @Test("a second part may come from what the first has loaded")
    @EngineActor func secondPart() async throws {
      let server = try LocalServer { path in
        .init(
          headers: ["Cache-Control": "max-age=1000"],
          body: """
            <!doctype html><script src="mraid.js"></script><body><p id="go" style="height: 40px">Go</p>
            <script>document.getElementById("go").onclick = () => mraid.expand("/ad/");</script>
            """)
      }
      var options = TestRender.Options()
      options.scenario = """
        - wait: {event: ready}
        - tap: "#go"
        - wait: {state: expanded}
        - screenshot: second
        """
      let result = try await TestRender.shared.render(url: server.url("/ad/"), options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.events("mraid/ready").count == 2)
    }

    private static func server(keeping: String?) throws -> LocalServer {
      try LocalServer { path in
        if path == "/ad/" { return .init(body: page) }
        let name = String(path.dropFirst("/ad/".count))
        guard names.contains(name) else { return .init(status: 404, body: "no") }
        return .init(
          type: name.hasSuffix(".js") ? "text/javascript" : "image/svg+xml",
          headers: keeping.map { ["Cache-Control": $0] } ?? [:], body: body(of: name))
      }
    }
  }
}

extension LiveWebKit {
  @Suite("What isn't there")
  struct MissingFileTests {
    /// Page that requests one missing resource of each kind, and cancels two loads itself.
    private static let page = """
      <!doctype html><html lang="en"><title>Gaps</title>
      <link rel="stylesheet" href="gone.css"><script src="gone.js"></script>
      <script type="module" src="gone-module.js"></script>
      <style>@font-face { font-family: Gone; src: url(gone.woff2) } p { font-family: Gone, sans-serif }
      div { height: 9px; background: url(gone-background.png) }</style>
      <p>Hello</p><div></div><img src="gone.png" alt=""><iframe src="gone.html" title="Gone"></iframe>
      <script>
      const given = new AbortController();
      fetch("given-up.json", { signal: given.signal }).catch(() => {});
      given.abort();
      const request = new XMLHttpRequest();
      request.open("GET", "given-up.txt");
      request.send();
      request.abort();
      </script>
      """
    private static let gone = [
      "gone-background.png", "gone-module.js", "gone.css", "gone.html", "gone.js", "gone.png", "gone.woff2",
    ]
    private static let present = ["given-up.json": "{}", "given-up.txt": "there"]

    /// Returns the last part of each address that a check reports for a render's log.
    private static func named(by check: String, in result: RenderedCreative) throws -> [String] {
      let evidence = CheckContext(record: result.record, journeys: [Journey(events: result.events)])
      let issues = try Check.all.first { $0.id == check }?.judge(evidence) ?? []
      return issues.compactMap { $0.subject.split(separator: "/").last.map(String.init) }.sorted()
    }

    @Test("is told of style sheets, scripts, modules, fonts and frames as of images")
    @EngineActor func own() async throws {
      let files = Self.present.merging(["index.html": Self.page]) { $1 }
      let result = try await TestRender.shared.render(files: files)
      #expect(try Self.named(by: "missing-file", in: result) == Self.gone)
      let script = result.events("network/resource").first { $0.detail["url"] == "creative://ad/gone.js" }
      #expect(script?.detail["status"] == 404)
      #expect(script?.detail["failure"] == nil)
    }

    @Test("on a web server is told likewise, with what the server answered", arguments: [404, 410, 500])
    @EngineActor func served(status: Int) async throws {
      let server = try LocalServer { path in
        if path == "/ad/" { return .init(body: Self.page) }
        let name = String(path.dropFirst("/ad/".count))
        return Self.present[name].map { .init(type: "text/plain", body: $0) } ?? .init(status: status, body: "no")
      }
      let result = try await TestRender.shared.render(url: server.url("/ad/"))
      #expect(try Self.named(by: "failed-request", in: result) == Self.gone)
      let sheet = result.events("network/resource").first { $0.detail["url"]?.string?.hasSuffix("gone.css") == true }
      #expect(sheet?.detail["status"] == .number(Double(status)))
    }

    @Test("is told at the end of a redirect")
    @EngineActor func redirected() async throws {
      let server = try LocalServer { path in
        switch path {
        case "/": .init(body: "<!doctype html><script src=\"/moved.js\"></script>")
        case "/moved.js": .init(status: 302, headers: ["Location": "/gone.js"], body: "")
        default: .init(status: 404, body: "no")
        }
      }
      let result = try await TestRender.shared.render(url: server.url("/"))
      #expect(try Self.named(by: "failed-request", in: result) == ["gone.js"])
    }
  }
}
