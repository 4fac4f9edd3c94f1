import Engine
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("Media features")
  struct MediaFeatureTests {
    /// Features of fingers, of mice and of all screens.
    private static let touch = [
      "(hover: none)", "(any-hover: none)", "(pointer: coarse)", "(any-pointer: coarse)",
    ]
    private static let mouse = ["(hover: hover)", "(any-hover: hover)", "(pointer: fine)", "(any-pointer: fine)"]
    private static let all = [
      "(prefers-color-scheme: light)", "(prefers-reduced-motion: no-preference)", "(prefers-contrast: no-preference)",
      "(forced-colors: none)", "(inverted-colors: none)", "(update: fast)", "(color)", "(min-color: 8)",
      "(scripting: enabled)", "(color-gamut: srgb)", "(dynamic-range: standard)",
    ]
    private static let none = [
      "(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)", "(monochrome)", "(grid)", "(update: slow)",
    ]

    @Test(
      "are the device's in sheets of every kind, and as matchMedia has them",
      arguments: [
        ("iphone-15", true, "3dppx"), ("ipad-10", true, "2dppx"), ("pixel-9-pro", true, "3dppx"),
        ("galaxy-s24", true, "3dppx"), ("desktop", false, "1dppx"), ("desktop-retina", false, "2dppx"),
      ])
    @EngineActor func sheets(device: String, isTouch: Bool, resolution: String) async throws {
      let own = Self.all + ["(resolution: \(resolution))"]
      let right = own + (isTouch ? Self.touch : Self.mouse)
      let wrong = Self.none + (isTouch ? Self.mouse : Self.touch)
      let rules = (right + wrong).enumerated().map { "@media \($1) { #KIND\($0) { opacity: 0.5 } }" }.joined()
      func sheet(_ kind: String) -> String { rules.replacing("KIND", with: kind) }
      let boxes = { (kind: String) in (right + wrong).indices.map { "<i id=\(kind)\($0)></i>" }.joined() }
      let files = [
        "linked.css": sheet("linked"), "imported.css": sheet("imported"),
        "frame.html": "<style>\(sheet("framed"))</style>\(boxes("framed"))",
        "index.html": """
        <!doctype html><meta name="ad.size" content="width=300,height=250">
        <link rel="stylesheet" href="linked.css"><style>@import "imported.css"; \(sheet("inline"))</style>
        <body>\(["linked", "imported", "inline"].map(boxes).joined())<div id="host"></div>
        <iframe id="frame" src="frame.html"></iframe>
        <script>
        host.attachShadow({ mode: "open" }).innerHTML = `<style>\(sheet("shadow"))</style>\(boxes("shadow"))`;
        const queries = \(right + wrong);
        const applies = (root, kind) =>
          queries.map((_, at) => getComputedStyle(root.getElementById(kind + at)).opacity === "0.5");
        const told = (matches) => queries.filter((_, at) => matches[at] !== (at < \(right.count)));
        </script>
        """,
      ]
      let kinds = ["linked", "imported", "inline"].map { "told(applies(document, '\($0)')).join()" }
      let expected =
        kinds + [
          "told(applies(host.shadowRoot, 'shadow')).join()", "told(applies(frame.contentDocument, 'framed')).join()",
          "told(queries.map((query) => matchMedia(query).matches)).join()",
        ]
      let steps = "- expect:\n    evaluate:\n" + expected.map { "      \"\($0)\": \"\"\n" }.joined()
      let result = try await TestRender.shared.render(
        files: files, TestRender.Options(device: device, scenario: steps))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }

    @Test(
      "are what the person asks for, render by render, in sheets, links, sources of pictures and frames",
      arguments: [RenderOptions.Clock.virtual, .real])
    @EngineActor func preferences(clock: RenderOptions.Clock) async throws {
      let pixel = { (color: String) in
        "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20id='\(color)'/%3E"
      }
      let files = [
        "dark.css": "#linked { opacity: 0.5 }",
        "frame.html": "<style>@media (prefers-color-scheme: dark) { i { opacity: 0.5 } }</style><i></i>",
        "index.html": """
        <!doctype html><meta name="ad.size" content="width=300,height=250">
        <link rel="stylesheet" media="(prefers-color-scheme: dark)" href="dark.css">
        <style>@media (prefers-reduced-motion: reduce) { #still { opacity: 0.5 } }</style>
        <i id="linked"></i><i id="still"></i>
        <picture><source media="(prefers-color-scheme: dark)" srcset="\(pixel("night"))">
        <img id="shown" src="\(pixel("day"))"></picture><iframe id="frame" src="frame.html"></iframe>
        <script>
          const isFaint = (element) => getComputedStyle(element).opacity === "0.5";
          const matches = (query) => matchMedia(query).matches;
        </script>
        """,
      ]
      let renderer = TestRender.of(clock)
      for (settings, isDark, isStill) in [
        (UserSettings(), false, false), (UserSettings(colorScheme: .dark), true, false),
        (UserSettings(reducedMotion: true), false, true), (UserSettings(colorScheme: .light), false, false),
      ] {
        let steps = """
          - expect:
              evaluate:
                "isFaint(linked)": \(isDark)
                "isFaint(frame.contentDocument.querySelector('i'))": \(isDark)
                "shown.currentSrc.includes('night')": \(isDark)
                "matches('(prefers-color-scheme: dark)')": \(isDark)
                "matches('(prefers-color-scheme: light)')": \(!isDark)
                "isFaint(still)": \(isStill)
                "matches('(prefers-reduced-motion: reduce)')": \(isStill)
          """
        let result = try await renderer.render(
          files: files, TestRender.Options(scenario: steps, clock: clock, settings: settings))
        #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
        #expect(result.record.colorScheme == (isDark ? .dark : nil))
        #expect(result.record.reducedMotion == (isStill ? true : nil))
      }
    }
  }
}
