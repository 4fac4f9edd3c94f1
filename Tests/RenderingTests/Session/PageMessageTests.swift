import MRAID
import Testing

@testable import Rendering

@Suite("A page's message")
struct PageMessageTests {
  @Test("is read", arguments: ["console", "exception", "rejection", "violation"])
  func known(name: String) {
    let message = PageMessage(#"{"observed":"\#(name)","detail":{"text":"x"}}"#)
    #expect(message?.name == name)
    #expect(message?.detail == ["text": "x"])
  }

  @Test("needs no detail")
  func withoutDetail() {
    #expect(PageMessage(#"{"observed":"console"}"#)?.detail == [:])
  }

  @Test(
    "is none when it is garbage",
    arguments: [
      "", "null", "[]", "{", "{}", "\"console\"", "[\"observed\"]", #"{"observed":null}"#, #"{"observed":1}"#,
      #"{"observed":["console"]}"#, #"{"observed":"screenshot","detail":{}}"#, #"{"observed":"Console"}"#,
      #"{"type":"call","name":"expand"}"#, "\u{0}", "{\"observed\":\"console\"}x", "NaN",
    ])
  func garbage(text: String) {
    #expect(PageMessage(text) == nil)
  }

  @Test("is none when it is too long or too deep")
  func extremes() {
    let long = String(repeating: "a", count: 1_000_000)
    #expect(PageMessage(#"{"observed":"console","detail":{"text":"\#(long)"}}"#) == nil)
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    #expect(PageMessage(#"{"observed":"console","detail":\#(deep)}"#) == nil)
  }
}
