import Core
import Engine
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("With the web process extension")
  struct NetworkTests {
    /// Page that requests the container's script and another file from an address that never answers (RFC 5737).
    private static let page = """
      <!doctype html><script src="https://192.0.2.1/sdk/mraid.js" onload="console.log('script loaded')"></script>
      <script>
      fetch("https://192.0.2.1/beacon").then(() => console.log("answered"), () => console.log("refused"));
      new Image().src = "https://192.0.2.1/pixel.png";
      </script>
      """

    @Test("nothing leaves the machine when the network is off, and mraid.js is answered wherever it is asked for")
    @EngineActor func off() async throws {
      let began = ContinuousClock.now
      let result = try await TestRender(extensionDirectory: WebExtension.folder).render(
        html: Self.page,
        TestRender.Options(
          isolation: .process, limits: Limits(timeout: 10), network: .none,
          scenario: "- wait: {event: console, count: 2}"))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(ContinuousClock.now - began < .seconds(8))
      #expect(Set(result.console) == ["script loaded", "refused"])
      let loads = result.events("network/resource")
      let script = try #require(loads.first { $0.detail["url"]?.string?.hasSuffix("mraid.js") == true })
      #expect(script.detail["status"] == 200)
      for load in loads where load.detail["url"]?.string?.hasPrefix("https://192.0.2.1/") == true {
        #expect(load.detail["failure"] != nil || load.detail["url"]?.string?.hasSuffix("mraid.js") == true)
      }
    }

    /// Returns a page that requests an address in every way that a page has, and reports after the last was refused.
    private static func asking(_ address: String) -> String {
      """
      <!doctype html><link rel="preconnect" href="\(address)"><link rel="dns-prefetch" href="\(address)">
      <link rel="stylesheet" href="\(address)/sheet.css"><iframe src="\(address)/frame"></iframe>
      <style>body { background: url(\(address)/background.png) }</style><video src="\(address)/film.mp4"></video><script>
      new Image().src = "\(address)/pixel.png";
      navigator.sendBeacon("\(address)/beacon");
      try { new EventSource("\(address)/events"); } catch {}
      const request = new XMLHttpRequest();
      request.open("GET", "\(address)/synchronous", false);
      try { request.send(); console.log("answered"); } catch { console.log("refused"); }
      const socket = new WebSocket("\(address)/socket".replace("http", "ws"));
      socket.onopen = () => console.log("answered");
      socket.onerror = () => console.log("refused");
      fetch("\(address)/fetch", { mode: "no-cors" }).then(() => console.log("answered"), () => console.log("refused"));
      </script>
      """
    }

    @Test("without the network nothing of this machine is reached either, by any name for it")
    @EngineActor func none() async throws {
      let server = try LocalServer { _ in .init(body: "<!doctype html><title>there</title>") }
      let port = server.url("").split(separator: ":").last.map(String.init) ?? ""
      for host in ["127.0.0.1", "localhost", "[::1]", "127.secret.invalid", "0"] {
        let result = try await TestRender(extensionDirectory: WebExtension.folder).render(
          html: Self.asking("http://\(host):\(port)"),
          TestRender.Options(
            isolation: .process, network: .none, scenario: "- wait: {event: console, count: 3, timeout: 5}"))
        #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
        #expect(result.console == ["refused", "refused", "refused"], "\(host)")
        let refused = result.events("network/resource").filter {
          $0.detail["url"]?.string?.contains("/pixel.png") == true
        }
        // The engine asks for nothing at 0.0.0.0 by itself.
        #expect(refused.map { $0.detail["refused"] } == (host == "0" ? [] : ["offline"]), "\(host)")
      }
      #expect(server.requests.isEmpty)
    }

    @Test("no name is asked for ahead of its requests, which would go past the proxy", arguments: [false, true])
    @EngineActor func names(isOffline: Bool) async throws {
      let result = try await TestRender(extensionDirectory: WebExtension.folder).render(
        html: """
          <!doctype html><script>
          const offered = document.createElement("link").relList;
          console.log(offered.supports("stylesheet") + " " + offered.supports("dns-prefetch"));
          </script>
          """, TestRender.Options(isolation: .process, network: isOffline ? .none : .publicInternet))
      #expect(result.console == ["true false"])
    }

    @Test(
      "what the engine knows of the machine is read by no way", arguments: ["webkit://gpu", "file:///etc/hostname"])
    @EngineActor func machine(address: String) async throws {
      let result = try await TestRender(extensionDirectory: WebExtension.folder).render(
        html: """
          <!doctype html><iframe src="\(address)"></iframe><script>
          const request = new XMLHttpRequest();
          request.open("GET", "\(address)", false);
          try { request.send(); console.log("read " + request.responseText.length); } catch { console.log("refused"); }
          fetch("\(address)").then(async (answer) => console.log("read " + (await answer.text()).length), () => console.log("refused"));
          </script>
          """, TestRender.Options(isolation: .process, scenario: "- wait: {event: console, count: 2}"))
      #expect(result.console == ["refused", "refused"])
    }

    /// Addresses without a scheme in every way that a page of files has to load something.
    private static func relative(_ host: String) -> String {
      """
      <!doctype html><link rel="stylesheet" href="//\(host)/sheet.css"><script src="//\(host)/script.js"></script>
      <style>body { background: url(//\(host)/background.png) }</style><img src="//\(host)/image.png">
      <iframe src="//\(host)/frame"></iframe><video src="//\(host)/film.mp4"></video><script>
      document.head.append(Object.assign(document.createElement("script"), { src: "//\(host)/dynamic.js" }));
      document.write('<script src="//\(host)/written.js"><\\/script>');
      Object.assign(document.createElement("video"), { src: "//\(host)/made.mp4" }).load();
      const request = new XMLHttpRequest();
      request.open("GET", "//\(host)/request", false);
      try { request.send(); } catch { console.log("refused"); }
      fetch("//\(host)/fetch").catch(() => console.log("refused"));
      </script>
      """
    }

    private static let ways = [
      "background.png", "dynamic.js", "fetch", "film.mp4", "frame", "image.png", "made.mp4", "request", "script.js",
      "sheet.css", "written.js",
    ]

    @Test("an address without a scheme in a creative's own file goes out as https, and is no missing file")
    @EngineActor func withoutScheme() async throws {
      let server = try LocalServer { _ in .init(body: "") }
      let host = String(server.url("").dropFirst("http://".count))
      let result = try await TestRender(extensionDirectory: WebExtension.folder).render(
        html: Self.relative(host),
        TestRender.Options(
          isolation: .process, network: .publicInternet, scenario: "- wait: {event: console, count: 2}",
          measures: true))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      let loads = result.events("network/resource").filter {
        $0.detail["url"]?.string?.hasPrefix("creative://ad/") != true
      }
      #expect(Set(loads.compactMap { $0.detail["url"]?.string }) == Set(Self.ways.map { "https://\(host)/\($0)" }))
      // The way out was asked for each, as for any other server.
      for load in loads { #expect(load.detail["refused"] == "loopback", "\(load.detail)") }
      let origins = try result.measurements().resources.filter { $0.url.contains(host) }.map(\.origin)
      #expect(!origins.isEmpty && origins.allSatisfy { $0 == .network })
      #expect(server.requests.isEmpty)
    }

    @Test("an address without a scheme leads as https behind a click too")
    @EngineActor func clickWithoutScheme() async throws {
      let result = try await TestRender(extensionDirectory: WebExtension.folder).render(
        html: """
          <!doctype html><a id="go" href="//shop.invalid/x" style="display:block;height:50px">go</a>
          """, TestRender.Options(isolation: .process, network: .none, scenario: "- tap: \"#go\""))
      #expect(result.events("page/navigation").map { $0.detail["url"] } == ["https://shop.invalid/x"])
      #expect(result.record.screenshots.contains { $0.name.hasSuffix("browser") }, "\(result.names)")
    }

    @Test("this machine can be reached where that is asked for")
    @EngineActor func localhost() async throws {
      let server = try LocalServer { _ in .init(body: "<!doctype html><title>there</title>") }
      let result = try await TestRender(extensionDirectory: WebExtension.folder).render(
        url: server.url("/"),
        TestRender.Options(
          network: NetworkPolicy(.none, allowed: ["127.0.0.0/8"]),
          scenario: "- expect: {evaluate: {document.title: there}}"))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(server.requests.map(\.path).contains("/"))
    }
  }
}

extension LiveWebKit {
  @Suite("Where a creative may reach")
  struct ReachTests {
    /// Returns a page that requests all files at an address, in the ways that a page has.
    private static func page(_ address: String) -> String {
      """
      <!doctype html><script>
      const told = (what) => (outcome) => console.log(what + " " + (outcome instanceof Response ? "answered" : "refused"));
      fetch("\(address)/fetch", { mode: "no-cors" }).then(told("fetch"), told("fetch"));
      const socket = new WebSocket("\(address)/socket".replace("http", "ws"));
      socket.onopen = () => console.log("socket answered");
      socket.onerror = () => console.log("socket refused");
      const picture = new Image();
      picture.onload = () => console.log("picture answered");
      picture.onerror = () => console.log("picture refused");
      picture.src = "\(address)/picture.svg";
      </script>
      """
    }

    private static func server() throws -> LocalServer {
      try LocalServer { path in
        path.hasSuffix(".svg")
          ? .init(type: "image/svg+xml", body: "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>")
          : .init(headers: ["Access-Control-Allow-Origin": "*"], body: page("http://127.0.0.1"))
      }
    }

    @Test("a page that may reach public addresses only reaches no server on this machine, by any name for it")
    @EngineActor func refused() async throws {
      let server = try Self.server()
      let port = server.url("").split(separator: ":").last.map(String.init) ?? ""
      for host in ["127.0.0.1", "localhost", "2130706433", "[::1]"] {
        let result = try await TestRender().render(
          html: Self.page("http://\(host):\(port)"),
          TestRender.Options(network: .publicInternet, scenario: "- wait: {event: console, count: 3}"))
        #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
        #expect(Set(result.console) == ["fetch refused", "socket refused", "picture refused"])
        let socket = result.events("network/resource").filter { $0.detail["url"]?.string?.hasPrefix("ws:") == true }
        #expect(socket.map { $0.detail["refused"] } == ["loopback"], "\(host)")
        #expect(result.events("page/socket").count == 1, "\(host)")
      }
      #expect(server.requests.isEmpty)
    }

    @Test("each web socket that a script opens is told where all may be reached, too")
    @EngineActor func sockets() async throws {
      let result = try await TestRender().render(
        html: """
          <!doctype html><script>
          const socket = new WebSocket("ws://127.0.0.1:9/live?n=1");
          socket.onerror = () => console.log(socket instanceof WebSocket && socket.constructor === WebSocket);
          </script>
          """, TestRender.Options(network: .any, scenario: "- wait: {event: console}"))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.console == ["true"])
      #expect(result.events("page/socket").map { $0.detail["url"] } == ["ws://127.0.0.1:9/live?n=1"])
    }

    @Test("the log says why an address wasn't reached")
    @EngineActor func logged() async throws {
      let server = try Self.server()
      let result = try await TestRender().render(
        url: server.url("/"), TestRender.Options(network: .publicInternet))
      #expect(result.record.outcome == .failed)
      #expect(result.record.message?.contains("loopback") == true, "\(result.record)")
      #expect(result.events("network/resource").first?.detail["refused"] == "loopback")
      #expect(server.requests.isEmpty)
    }

    @Test("a block of addresses may be allowed")
    @EngineActor func allowed() async throws {
      let server = try LocalServer { _ in .init(body: "<!doctype html><title>there</title>") }
      let result = try await TestRender().render(
        url: server.url("/"),
        TestRender.Options(
          network: NetworkPolicy(.public, allowed: ["127.0.0.0/8"]),
          scenario: "- expect: {evaluate: {document.title: there}}"))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(server.requests.map(\.path).contains("/"))
    }

    @Test("a redirect leads nowhere else")
    @EngineActor func redirected() async throws {
      let inner = try Self.server()
      let outer = try LocalServer { _ in
        .init(status: 302, headers: ["Location": "http://[::ffff:127.0.0.1]:1/"], body: "")
      }
      let result = try await TestRender().render(
        url: outer.url("/"), TestRender.Options(network: NetworkPolicy(.public, allowed: ["127.0.0.1"])))
      #expect(result.record.outcome == .failed)
      #expect(inner.requests.isEmpty)
    }

    @Test("without the network a web socket reaches no other machine either")
    @EngineActor func offline() async throws {
      let result = try await TestRender().render(
        html: Self.page("http://192.0.2.1"),
        TestRender.Options(network: .none, scenario: "- wait: {event: console, count: 3, timeout: 5}"))
      #expect(Set(result.console) == ["fetch refused", "socket refused", "picture refused"])
    }
  }
}

extension LiveWebKit {
  @Suite("What the host fetches itself")
  struct HTTPClientTests {
    private let server: LocalServer

    init() throws {
      server = try LocalServer { path in
        switch path {
        case "/moved": .init(status: 302, headers: ["Location": "/there"], body: "")
        case "/gone": .init(status: 410, body: "gone")
        case "/large": .init(body: String(repeating: "x", count: 200_000))
        default: .init(type: "application/json", body: #"{"é": 1}"#)
        }
      }
    }

    @Test("an answer is its status and its bytes, wherever it was moved")
    @EngineActor func answers() async throws {
      let client = HTTPClient(proxy: nil, patience: 5)
      let moved = try await client.get(server.url("/moved"), headers: ["Authorization": "Bearer t"], limit: 100)
      #expect(moved.status == 200)
      #expect(moved.body == Array(#"{"é": 1}"#.utf8))
      #expect(server.requests.map(\.path) == ["/moved", "/there"])
      #expect(server.requests.first?.headers["authorization"] == "Bearer t")
      #expect(try await client.get(server.url("/gone"), limit: 100).status == 410)
      #expect(try await client.get(server.url("/large"), limit: 200_000).body.count == 200_000)
    }

    @Test("what can't be had says why")
    @EngineActor func failures() async throws {
      let client = HTTPClient(proxy: nil, patience: 5)
      for (url, word) in [
        (server.url("/large"), "larger"), (try LocalServer.refusedAddress(), "refused"), ("http://", "address"),
      ] {
        await #expect(
          performing: {
            _ = try await client.get(url, limit: 199_999)
          }, throws: { "\($0)".contains(word) })
      }
    }

    @Test("everything goes by the proxy where there is one")
    @EngineActor func proxied() async throws {
      let client = HTTPClient(proxy: server.url(""), patience: 5)
      #expect(try await client.get("http://feed.example/users.json", limit: 100).status == 200)
      #expect(server.requests.map(\.path) == ["http://feed.example/users.json"])
    }
  }
}
