import Core
import Testing

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

@Suite("What is kept of a value")
struct CuttingTests {
  @Test("is all of an ordinary one")
  func ordinary() {
    let value: JSONValue = ["arguments": ["https://x.example/", 3, true, nil], "gesture": false, "text": "a\nb 😀"]
    let cut = value.cut()
    #expect(cut.value == value)
    #expect(!cut.isCut)
    #expect(cut.bytes < 300)
  }

  @Test("is the beginning of a long text, wherever it stands")
  func texts() {
    let long = String(repeating: "x", count: 2_049)
    let kept = JSONValue.string(String(repeating: "x", count: 2_048) + "…")
    for (value, expected) in [(["a": .string(long)], ["a": kept]), ([.string(long)], [kept])]
      as [(JSONValue, JSONValue)]
    {
      #expect(value.cut().value == expected)
      #expect(value.cut().isCut)
    }
    // As many bytes as the ellipsis has.
    #expect(JSONValue.string(String(repeating: "x", count: 2_051)).cut().isCut)
    #expect(!JSONValue.string(String(repeating: "é", count: 2_048)).cut().isCut)
  }

  @Test("counts scalars, since one character may be a megabyte long")
  func clusters() {
    let cluster = "e" + String(repeating: "\u{301}", count: 1_000_000)
    #expect(cluster.count == 1)
    let cut = JSONValue.string(cluster).cut()
    #expect(cut.isCut)
    #expect(cut.value.string?.utf8.count ?? .max < 5_000)
  }

  @Test("ends where the whole is large, in the same place each time")
  func many() {
    let list = JSONValue.array((0..<100_000).map { .number(Double($0)) })
    let members = JSONValue.object(
      Dictionary(uniqueKeysWithValues: (0..<100_000).map { ("member\($0)", JSONValue.string("x")) }))
    for value in [list, members, .array([list, members])] {
      let cut = value.cut()
      #expect(cut.isCut)
      #expect(cut.bytes < 2 * JSONValue.keptBytes)
      #expect(cut == value.cut())
    }
    #expect(members.cut().value["member0"] == "x")
  }

  @Test("counts what JSON escapes")
  func escapes() {
    #expect(JSONValue.string(String(repeating: "\u{1}", count: 100)).cut().bytes >= 600)
    #expect(JSONValue.string(String(repeating: "\"", count: 100)).cut().bytes >= 200)
  }
}
