import Jobs
import MRAID
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("Where a creative may reach")
  struct ReachTests {
    /// Asks for everything at an address, in the ways a page has.
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
    @WebKitActor func refused() async throws {
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
      }
      #expect(server.requests.isEmpty)
    }

    @Test("the log says why an address wasn't reached")
    @WebKitActor func logged() async throws {
      let server = try Self.server()
      let result = try await TestRender().render(
        url: server.url("/"), TestRender.Options(network: .publicInternet))
      #expect(result.record.outcome == .failed)
      #expect(result.record.message?.contains("loopback") == true, "\(result.record)")
      #expect(result.events("network/resource").first?.detail["refused"] == "loopback")
      #expect(server.requests.isEmpty)
    }

    @Test("a block of addresses may be allowed")
    @WebKitActor func allowed() async throws {
      let server = try LocalServer { _ in .init(body: "<!doctype html><title>there</title>") }
      let result = try await TestRender().render(
        url: server.url("/"),
        TestRender.Options(
          network: NetworkReach(.public, allowed: ["127.0.0.0/8"]),
          scenario: "- expect: {evaluate: {document.title: there}}"))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(server.requests.map(\.path).contains("/"))
    }

    @Test("a redirect leads nowhere else")
    @WebKitActor func redirected() async throws {
      let inner = try Self.server()
      let outer = try LocalServer { _ in
        .init(status: 302, headers: ["Location": "http://[::ffff:127.0.0.1]:1/"], body: "")
      }
      let result = try await TestRender().render(
        url: outer.url("/"), TestRender.Options(network: NetworkReach(.public, allowed: ["127.0.0.1"])))
      #expect(result.record.outcome == .failed)
      #expect(inner.requests.isEmpty)
    }

    @Test("without the network a web socket reaches no other machine either")
    @WebKitActor func offline() async throws {
      let result = try await TestRender().render(
        html: Self.page("http://192.0.2.1"),
        TestRender.Options(network: .none, scenario: "- wait: {event: console, count: 3, timeout: 5}"))
      #expect(Set(result.console) == ["fetch refused", "socket refused", "picture refused"])
    }
  }
}
