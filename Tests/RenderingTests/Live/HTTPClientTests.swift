import Testing
import WebKitRuntime

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
    @WebKitActor func answers() async throws {
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
    @WebKitActor func failures() async throws {
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
    @WebKitActor func proxied() async throws {
      let client = HTTPClient(proxy: server.url(""), patience: 5)
      #expect(try await client.get("http://feed.example/users.json", limit: 100).status == 200)
      #expect(server.requests.map(\.path) == ["http://feed.example/users.json"])
    }
  }
}
