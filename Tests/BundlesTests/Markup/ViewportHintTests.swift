import Testing

@testable import Bundles

@Suite("A document's viewport")
struct ViewportHintTests {
  private func viewport(_ html: String, path: String = "index.html") -> String? {
    BundleResource(path: path, bytes: Array(html.utf8)).viewport
  }

  @Test("is what its last element says")
  func last() {
    #expect(viewport("<meta name=viewport content='width=640'>") == "width=640")
    #expect(viewport("<META NAME=' Viewport ' CONTENT='width=640'><p>") == "width=640")
    #expect(viewport("<meta name=viewport content='width=1'><meta name=viewport content='width=2'>") == "width=2")
    #expect(viewport("<meta name=viewport content='width&#61;640'>") == "width=640")
  }

  @Test("isn't in scripts, comments, templates of no-script, or other files")
  func none() {
    let element = "<meta name=viewport content='width=640'>"
    #expect(viewport("<p>") == nil)
    #expect(viewport("<meta name=viewports content='width=640'>") == nil)
    #expect(viewport("<!-- \(element) --><script>'\(element)'</script><noscript>\(element)</noscript>") == nil)
    #expect(viewport(element, path: "a.txt") == nil)
    #expect(viewport("<meta name=viewport>") == "")
  }
}
