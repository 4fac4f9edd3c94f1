import Engine
import Foundation
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("Characters that no font has")
  struct LetterTests {
    @Test("are told, once each, wherever they are shown") @EngineActor func told() async throws {
      let warnings = try await Self.warnings(
        """
        <h1>日本 日 é ж 😀 ✓ ★ ①</h1><iframe srcdoc="<p>ไทย"></iframe><p hidden>隠
        <script>document.querySelector("h1").append("語")</script>
        """)
      #expect(warnings.count == 1)
      #expect(
        warnings.first?.hasPrefix("screenshots show boxes for 日 本 語 ไ ท ย: no installed font has them") == true,
        "\(warnings)")
    }

    @Test("are none where the ad brings a font that has them") @EngineActor func own() async throws {
      let page = """
        <style>@font-face { font-family: own; src: url(data:font/ttf;base64,\(try Self.font())) } h1 { font-family: own }</style>
        """
      #expect(try await Self.warnings("\(page)<h1>日本語</h1>") == [])
      let other = try await Self.warnings("\(page)<h1>日中</h1><p>日</p>")
      #expect(other.count == 1 && other[0].contains("boxes for 中:"), "\(other)")
    }

    @Test("are the ad's own affair where they mean what its font says") @EngineActor func icons() async throws {
      let warnings = try await Self.warnings("<style>i { font-family: gone }</style><i>\u{E001}</i>")
      #expect(warnings.count == 1 && warnings[0].contains("U+E001: the ad's own font is missing"), "\(warnings)")
    }

    @EngineActor private static func warnings(_ body: String) async throws -> [String] {
      let html = "<!doctype html><meta charset=utf-8><body>\(body)"
      let rendered = try await TestRender().render(html: html)
      #expect(rendered.record.outcome == .completed)
      return rendered.record.warnings.filter { $0.contains("boxes") }
    }

    /// Returns a font in base64 with only the three characters 日, 本 and 語.
    private static func font() throws -> String {
      let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      return try Data(contentsOf: tests.appending(path: "Fonts/three-characters.ttf")).base64EncodedString()
    }
  }
}
