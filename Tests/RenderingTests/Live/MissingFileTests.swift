import Checks
import Jobs
import MRAID
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("What isn't there")
  struct MissingFileTests {
    /// Asks for one missing thing of each kind, and gives up two loads by itself.
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

    /// What a check says of a render's log, by the last part of each address.
    private static func named(by check: String, in result: RenderedCreative) throws -> [String] {
      let evidence = Evidence(record: result.record, journeys: [Journey(events: result.events)])
      let remarks = try Check.all.first { $0.id == check }?.judge(evidence) ?? []
      return remarks.compactMap { $0.subject.split(separator: "/").last.map(String.init) }.sorted()
    }

    @Test("is told of style sheets, scripts, modules, fonts and frames as of images")
    @WebKitActor func own() async throws {
      let files = Self.present.merging(["index.html": Self.page]) { $1 }
      let result = try await TestRender.shared.render(files: files)
      #expect(try Self.named(by: "missing-file", in: result) == Self.gone)
      let script = result.events("network/resource").first { $0.detail["url"] == "creative://ad/gone.js" }
      #expect(script?.detail["status"] == 404)
      #expect(script?.detail["failure"] == nil)
    }

    @Test("on a web server is told likewise, with what the server answered", arguments: [404, 410, 500])
    @WebKitActor func served(status: Int) async throws {
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
    @WebKitActor func redirected() async throws {
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
