import MRAID
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("Text")
  struct FontTests {
    /// Logs how wide each family draws a line, and whether a family of that name is there at all.
    private static let page = """
      <!doctype html><body><script>
      const wide = (family) => {
        const span = document.body.appendChild(document.createElement("span"));
        span.style.cssText = "font: 40px " + family + "; white-space: pre; position: absolute";
        span.textContent = "Wimbledon filling 0123";
        return span.getBoundingClientRect().width;
      };
      const is = (one, other) => wide(one) === wide(other);
      console.log("facts " + JSON.stringify({
        sans: ["Arial", "Helvetica", "'Helvetica Neue'", "-apple-system", "Roboto", "system-ui", "sans-serif"]
          .filter((family) => !is(family + ", monospace", "'Liberation Sans'")),
        serif: ["Times", "'Times New Roman'", "serif"].filter((family) => !is(family, "'Liberation Serif'")),
        mono: ["Courier", "'Courier New'", "monospace"].filter((family) => !is(family, "'Liberation Mono'")),
        // What Debian installs along with image tools and browsers.
        others: ["'Nimbus Sans'", "'Noto Sans Mono'", "Z003", "'Droid Sans Fallback'", "'DejaVu Sans Condensed'", "P052"]
          .filter((family) => !is(family + ", 'DejaVu Sans Mono'", "'DejaVu Sans Mono'")),
      }));
      </script>
      """

    @Test("is drawn with the pinned fonts, whatever else is installed")
    @WebKitActor func pinned() async throws {
      let render = try await TestRender.shared.render(html: Self.page)
      #expect(render.facts() == ["sans": [], "serif": [], "mono": [], "others": []])
    }
  }
}
