import Jobs
import MRAID
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("With the web process extension", .enabled(if: WebExtension.isBuilt))
  struct NetworkTests {
    /// Asks a machine that answers nobody (RFC 5737) for the container's script and for something else.
    private static let page = """
      <!doctype html><script src="https://192.0.2.1/sdk/mraid.js" onload="console.log('script loaded')"></script>
      <script>
      fetch("https://192.0.2.1/beacon").then(() => console.log("answered"), () => console.log("refused"));
      new Image().src = "https://192.0.2.1/pixel.png";
      </script>
      """

    @Test("nothing leaves the machine when the network is off, and mraid.js is answered wherever it is asked for")
    @WebKitActor func off() async throws {
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

    @Test("this machine can be reached all the same")
    @WebKitActor func localhost() async throws {
      let server = try LocalServer { _ in .init(body: "<!doctype html><title>there</title>") }
      let result = try await TestRender(extensionDirectory: WebExtension.folder).render(
        url: server.url("/"),
        TestRender.Options(network: .none, scenario: "- expect: {evaluate: {document.title: there}}"))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(server.requests.map(\.path).contains("/"))
    }
  }
}
