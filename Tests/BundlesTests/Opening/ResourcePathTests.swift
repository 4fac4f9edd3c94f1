import Testing

@testable import Bundles

struct ResourcePathTests {
  @Test(arguments: [
    ("/img/a%20b.png?x=1#y", ["img", "a b.png"]), ("img//./a.png", ["img", "a.png"]), ("", []), ("/", []),
    ("/../../etc/passwd", ["etc", "passwd"]), ("/a/%2e%2e/%2E%2e/b", ["b"]), ("/a%2Fb", ["a", "b"]),
    ("/..%2f..%2fx", ["x"]), ("/%252e%252e/x", ["%2e%2e", "x"]), ("/100%/50%z1%4", ["100%", "50%z1%4"]),
    ("/a#?b", ["a"]), ("/%C3%A4.png", ["ä.png"]), ("/a/..%2F%CC%88x", ["\u{308}x"]),
  ])
  func pathsStayBelowTheRoot(path: String, components: [String]) {
    #expect(ResourcePath.components(path) == components)
  }

  @Test(arguments: ["/a%00.png", "/%FF", "/%C3"])
  func whatNamesNoFileIsNil(path: String) {
    #expect(ResourcePath.components(path) == nil)
  }
}
