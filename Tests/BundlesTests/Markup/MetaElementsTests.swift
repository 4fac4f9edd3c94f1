import Testing

@testable import Bundles

@Suite struct MetaElementsTests {
  private func read(_ html: String) -> [String: String] { MetaElements.read(Array(html.utf8)) }

  @Test func readsNamesAndContents() {
    let html = "<meta name=Ad.Size content=' width=1 '><meta name=b content='x &amp; y'>"
    #expect(read(html) == ["ad.size": "width=1", "b": "x & y"])
  }

  @Test func keepsTheFirstOfEqualNames() {
    #expect(read("<meta name=a content=1><meta name=a content=2>") == ["a": "1"])
  }

  @Test func seesNoneInScriptsCommentsOrOtherElements() {
    #expect(read("<script>'<meta name=a content=1>'</script><!-- <meta name=b> --><p name=c content=2>") == [:])
    #expect(read("<meta charset=utf-8><meta name=d>") == ["d": ""])
  }
}
