import Core
import Engine
import Foundation
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("An ad can't tell Galley from a phone")
  struct CloakingTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Scripts/lib/attack")

    /// Names of tells that are documented, and why.
    private static func accepted() throws -> [String: String] {
      try JSONDecoder().decode(
        [String: String].self, from: Data(contentsOf: folder.appendingPathComponent("accepted_tells.json")))
    }

    private static func page(_ kind: String) throws -> String {
      let script = try String(contentsOf: folder.appendingPathComponent("tells.js"), encoding: .utf8)
      return """
        <!doctype html><meta name="viewport" content="width=device-width"><body style="background: teal">
        <script src="mraid.js"></script><script>\(script.replacing("__KIND__", with: kind))</script>
        """
    }

    @Test(
      "by functions, pointers, touches or objects",
      arguments: [("ios", "iphone-15"), ("android", "pixel-8"), ("desktop", "desktop")])
    @EngineActor func tells(kind: String, device: String) async throws {
      let options = TestRender.Options(
        device: device, isolation: .process, limits: Limits(timeout: 60),
        scenario: """
          - wait: {seconds: 1}
          - tap: body
          - wait: {seconds: 20}
          """, seed: 1, clock: .virtual)
      let render = TestRender(extensionDirectory: WebExtension.folder)
      let result = try await render.render(html: try Self.page(kind), options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      let rows = result.events.filter { $0.name == "console" }.compactMap { event -> JSONValue? in
        guard let text = event.detail["text"]?.string, text.hasPrefix("tell ") else { return nil }
        return try? JSONDecoder().decode(JSONValue.self, from: Data(text.dropFirst(5).utf8))
      }
      #expect(rows.count >= 150, "\(rows.count)")
      let accepted = try Self.accepted()
      let lost = rows.filter { $0[1]?.bool != true && accepted[$0[0]?.string ?? ""] == nil }
      // The language is the caller's.
      #expect(lost.filter { $0[0] != "the language is one" } == [])
    }
  }

  @Suite("An ad can't keep out of sight")
  struct HidingTests {
    @Test(
      "by a page that can't be looked at: it has its picture and measurements, or its render fails",
      arguments: [12_500, 60_000])
    @EngineActor func depth(levels: Int) async throws {
      let html = """
        <!doctype html><body><script src="mraid.js"></script><script>
        let at = document.body;
        for (let i = 0; i < \(levels); i++) {
          const inner = document.createElement("i");
          at.append(inner);
          at = inner.attachShadow({ mode: "open" });
        }
        </script>
        """
      let render = TestRender(extensionDirectory: WebExtension.folder)
      var options = TestRender.Options(isolation: .process, limits: Limits(timeout: 40), clock: .virtual)
      options.measures = true
      let result = try await render.render(html: html, options)
      guard result.record.outcome != .failed else {
        #expect(result.record.origin == .creative)
        #expect(["screenshot-prevented", "measurement-prevented"].contains(result.record.code))
        return
      }
      #expect(result.record.outcome == .completed)
      #expect(result.record.screenshots.count == 1)
    }

    @Test("behind a document of its own that is refused")
    @EngineActor func refusedDocument() async throws {
      let html = """
        <!doctype html><body><a id="go" href="https://shop.example/x.bin" download>get</a><script src="mraid.js"></script>
        <script>setTimeout(() => document.getElementById("go").click(), 300)</script>
        """
      let render = TestRender(extensionDirectory: WebExtension.folder)
      let result = try await render.render(
        html: html,
        TestRender.Options(
          isolation: .process, network: .none,
          scenario: """
            - wait: {seconds: 1}
            - tap: "#go"
            """, clock: .virtual))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.events.filter { $0.name == "navigation" && $0.detail["allowed"] == false }.count == 2)
    }

    @Test("in a frame that is for an app")
    @EngineActor func frameForApps() async throws {
      let result = try await TestRender.shared.render(
        html: "<!doctype html><body><iframe src='market://details?id=x'></iframe><script src='mraid.js'></script>")
      let told = result.events.filter { $0.source == .page && $0.name == "navigation" }
      #expect(told.map { $0.detail["url"]?.string } == ["market://details?id=x"])
      #expect(told.first?.detail["allowed"] == false)
    }
  }
}
