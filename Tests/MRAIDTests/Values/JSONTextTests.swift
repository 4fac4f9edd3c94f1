import Testing

@testable import MRAID

@Suite struct JSONTextTests {
  static let texts: [(JSONValue, String)] = [
    (nil, "null"), (true, "true"), (1, "1"), (-2.5, "-2.5"), (.number(.nan), "null"), (.number(.infinity), "null"),
    (.number(-0.0), "0"), ("a\"b\\c", #""a\"b\\c""#), ("</script>", #""\u003c/script>""#),
    ("\u{2028}\u{2029}", #""\u2028\u2029""#), ("\n\u{0}\u{7F}", #""\u000a\u0000\u007f""#), ("é😀", "\"é😀\""),
    ([1, [], "x"], #"[1,[],"x"]"#), (["b": 1, "a": ["<": 2]], #"{"a":{"\u003c":2},"b":1}"#), ([:], "{}"),
  ]

  @Test(arguments: texts)
  func textIsJSONThatIsSafeInAScript(_ value: JSONValue, _ text: String) {
    #expect(value.text == text)
  }
}
