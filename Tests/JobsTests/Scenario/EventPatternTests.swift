import Jobs
import Testing

@Suite("An event pattern")
struct EventPatternTests {
  private let event = Event(seq: 0, t: 1, source: .mraid, name: "stateChange")

  @Test("without a source matches every source")
  func anySource() throws {
    let pattern = try #require(EventPattern("stateChange"))
    #expect(pattern.source == nil)
    #expect(pattern.matches(event))
  }

  @Test("with a source matches that source only")
  func oneSource() throws {
    #expect(try #require(EventPattern("mraid/stateChange")).matches(event))
    #expect(try #require(EventPattern("creative/stateChange")).matches(event) == false)
    #expect(try #require(EventPattern("mraid/ready")).matches(event) == false)
  }

  @Test(
    "is refused when it can't be a name",
    arguments: ["", "/", "mraid/", "/ready", "mraid/ready/x", "other/ready", "1st", "state-change", "zurück", "a b"])
  func refused(text: String) {
    #expect(EventPattern(text) == nil)
  }
}
