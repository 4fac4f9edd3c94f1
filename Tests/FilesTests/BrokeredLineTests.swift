import Files
import Testing

@Suite("A line for a worker")
struct CarriedLineTests {
  @Test("keeps its words whatever paths have in them")
  func words() {
    let paths = ["/a b/c=d", "/{\"x\"}", "/line\nfeed", "/%20", "/é\u{301}/😀", "relative", ""]
    let words = paths.map { BrokeredLine.Word(.creative, $0, at: "/job/1") } + [BrokeredLine.Word(.output, "/out")]
    let text = #"{"render":{"path":"a = b {c} d"}}"#
    let line = BrokeredLine(words: words, text: text)
    #expect(!line.bytes.contains(UInt8(ascii: "\n")))
    #expect(BrokeredLine(String(decoding: line.bytes, as: UTF8.self)) == line)
  }

  @Test("without words is the request alone", arguments: [#"{"render":{}}"#, "", "{"])
  func plain(text: String) {
    #expect(BrokeredLine(text) == BrokeredLine(words: [], text: text))
    #expect(BrokeredLine(words: [], text: text).bytes == Array(text.utf8))
  }

  @Test("has no word in what is none", arguments: ["hello", "file=/a=/b", "output=/a", "output=/a=/b=/c", "=="])
  func noWords(text: String) {
    #expect(BrokeredLine(text + " {}") == BrokeredLine(words: [], text: "{}"))
  }

  @Test("takes a broken escape as it stands", arguments: [("%zz", "%zz"), ("%", "%"), ("%4", "%4"), ("%41", "A")])
  func escapes(text: String, path: String) {
    #expect(BrokeredLine("output=\(text)= {}").words == [BrokeredLine.Word(.output, path)])
  }
}
