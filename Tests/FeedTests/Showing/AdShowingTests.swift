import Feed
import Jobs
import MRAID
import Testing

@Suite struct AdShowingTests {
  private func log(_ lines: [(Event.Source, String, JSONValue)]) -> [Event] {
    lines.enumerated().map {
      Event(seq: $0.offset, t: 0, source: $0.element.0, name: $0.element.1, detail: $0.element.2)
    }
  }

  private func loading(_ ad: String, _ cell: String, _ creative: String) -> (Event.Source, String, JSONValue) {
    (.feed, "adLoading", ["ad": .string(ad), "cell": .string(cell), "creative": .string(creative)])
  }

  private func failed(_ ad: String) -> (Event.Source, String, JSONValue) {
    (.ad, "failedToLoad", ["ad": .string(ad), "error": "gone", "code": "load-failed"])
  }

  @Test func `each ad has its own events, and nobody else's`() {
    let all = AdShowing.all(
      in: log([
        loading("creative-1", "ad-1", "one"), (.mraid, "ready", ["ad": "creative-1"]),
        loading("creative-2", "ad-2", "two"), (.page, "console", ["ad": "creative-2"]), (.host, "scroll", ["to": 5]),
        (.input, "tap", ["layer": "creative-1-player"]), (.input, "tap", ["layer": "creative-10"]),
      ]))
    #expect(all.map(\.ad) == ["creative-1", "creative-2"])
    #expect(all.map(\.cell) == ["ad-1", "ad-2"] && all.map(\.creative) == ["one", "two"])
    #expect(all.map { $0.events.map(\.name) } == [["adLoading", "ready", "tap"], ["adLoading", "console"]])
    #expect(all.allSatisfy { $0.end == .shown })
  }

  @Test func `pictures are those on which it can be seen`() {
    let all = AdShowing.all(
      in: log([
        loading("creative-1", "ad-1", "one"), (.host, "screenshot", ["name": "001", "ads": ["creative-1"]]),
        (.host, "screenshot", ["name": "002"]), (.host, "screenshot", ["name": "003", "ads": ["creative-2"]]),
      ]))
    #expect(all.map(\.pictures) == [["001"]])
  }

  @Test func `of several tries for one ad the last counts`() {
    let twice = AdShowing.all(
      in: log([
        loading("creative-1", "ad-1", "one"), failed("creative-1"), loading("creative-2", "ad-1", "one"),
        failed("creative-2"),
      ]))
    #expect(twice.map(\.ad) == ["creative-2"])
    #expect(twice.map(\.end) == [.failed(message: "gone", code: "load-failed")])
  }

  @Test func `another creative in the same cell, and the same after it, are ads of their own`() {
    let all = AdShowing.all(
      in: log([
        loading("creative-1", "ad-1", "one"), failed("creative-1"), loading("creative-2", "ad-1", "two"),
        loading("creative-3", "ad-1", "one"),
      ]))
    #expect(all.map(\.ad) == ["creative-1", "creative-2", "creative-3"])
  }

  @Test func `an ad that was lost says how, also where that failed its load`() {
    let lost: (Event.Source, String, JSONValue) = (.feed, "adLost", ["ad": "creative-1", "reason": "unresponsive"])
    let shown = AdShowing.all(in: log([loading("creative-1", "ad-1", "one"), lost]))
    #expect(shown.map(\.end) == [.lost(reason: "unresponsive")])
    let coming = AdShowing.all(in: log([loading("creative-1", "ad-1", "one"), lost, failed("creative-1")]))
    #expect(coming.map(\.end) == [.failed(message: "gone", code: "load-failed")])
  }
}
