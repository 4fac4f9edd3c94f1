import Comparison
import Core
import RenderModel
import Testing

@Suite struct EventComparisonTests {
  /// A log of `source/name` words, or of events with details.
  private func log(_ words: String...) -> [Event] { log(words.map { ($0, [:]) }) }

  private func log(_ events: [(String, JSONValue)]) -> [Event] {
    events.enumerated().map { index, event in
      let parts = event.0.split(separator: "/")
      return Event(
        seq: index, t: Double(index) * 3.5, source: Event.Source(rawValue: String(parts[0])) ?? .host,
        name: String(parts[1]), detail: event.1)
    }
  }

  private func texts(_ first: [Event], _ second: [Event]) -> [String] {
    EventComparison(first, second).findings.map(\.text)
  }

  @Test func timesAndMeasurementsDontCount() {
    let first = log([("network/resource", ["url": "a", "timing": ["start": 1]])])
    var second = log([("network/resource", ["url": "a", "timing": ["start": 9, "end": 12]])])
    second[0].t = 400
    #expect(texts(first, second) == [])
  }

  @Test func inWhichOrderResourcesOfOneLoadAreAskedForCountsForNothing() {
    let (one, other): ((String, JSONValue), (String, JSONValue)) = (
      ("network/resource", ["url": "a"]), ("network/resource", ["url": "b"])
    )
    let loaded: (String, JSONValue) = ("page/loadFinished", [:])
    #expect(texts(log([one, other, loaded]), log([other, one, loaded])) == [])
    // Of pictures in the page the log has only the beginning.
    let (small, large): ((String, JSONValue), (String, JSONValue)) = (
      ("network/resource", ["url": "data:", "bytes": 1]), ("network/resource", ["url": "data:", "bytes": 2])
    )
    #expect(texts(log([small, large]), log([large, small])) == [])
    // On the other side of another event it is asked for at another time.
    #expect(texts(log([one, other, loaded]), log([other, loaded, one])).count == 1)
    #expect(texts(log([one, loaded]), log([other, loaded])).count == 1)
  }

  @Test func whatAnAnswerLacksByItsSchemaIsntWhatTheAdDoes() {
    let departure: (String, JSONValue) = ("vast/departure", ["kind": "missing", "line": 2])
    let flaw: (String, JSONValue) = ("vast/flaw", ["line": 2])
    let (before, start): ((String, JSONValue), (String, JSONValue)) = (("host/load", [:]), ("vast/start", [:]))
    #expect(texts(log([before, start]), log([before, departure, start, departure])) == [])
    #expect(texts(log([before, departure, start]), log([before, start])) == [])
    #expect(texts(log([before, start]), log([before, departure, flaw, start])).count == 1)
  }

  @Test func emptyLogsAreTheSame() {
    #expect(texts([], []) == [])
    #expect(texts([], log("mraid/ready")) == ["added mraid/ready"])
    #expect(texts(log("mraid/ready"), []) == ["lost mraid/ready"])
  }

  @Test func openBeforeViewableIsAFinding() {
    let first = log("mraid/ready", "mraid/viewableChange", "creative/open", "host/open", "host/screenshot")
    let second = log("mraid/ready", "creative/open", "host/open", "mraid/viewableChange", "host/screenshot")
    #expect(texts(first, second) == ["mraid/viewableChange now comes after host/open"])
    #expect(texts(second, first) == ["mraid/viewableChange now comes before creative/open"])
    let finding = EventComparison(first, second).findings[0]
    #expect(finding.change == .moved)
    #expect((finding.first, finding.second) == (1, 3))
  }

  @Test func oneLostOfManyEqualOnesIsLostAndNothingMoved() {
    let first = log("host/x", "host/a", "host/x", "host/b", "host/x")
    #expect(texts(first, log("host/a", "host/x", "host/b", "host/x")) == ["lost host/x"])
    #expect(texts(log("host/a", "host/x", "host/b", "host/x"), first) == ["added host/x"])
  }

  @Test func findingsStandInTheSecondLogsOrder() {
    let first = log("host/a", "host/lost", "host/b", "host/c", "host/d", "host/e", "host/moved", "host/f")
    let second = log("host/a", "host/b", "host/moved", "host/c", "host/d", "host/new", "host/e", "host/f")
    #expect(texts(first, second) == ["lost host/lost", "host/moved now comes before host/c", "added host/new"])
  }

  @Test func changedDetailsAreNamedByTheirPath() {
    let first = log([
      ("host/a", [:]), ("mraid/sizeChange", ["arguments": [320, 50]]), ("creative/open", ["a": ["b": 1], "gone": "x"]),
    ])
    let second = log([
      ("host/a", [:]), ("mraid/sizeChange", ["arguments": [320, 250, 1]]), ("creative/open", ["a": ["b": 2]]),
    ])
    #expect(
      texts(first, second) == [
        "mraid/sizeChange changed: arguments[1]: 50 → 250, arguments[2]: nothing → 1",
        "creative/open changed: a.b: 1 → 2, gone: \"x\" → nothing",
      ])
  }

  @Test func anotherKindInItsPlaceIsLostAndAdded() {
    #expect(texts(log("host/a", "page/popup"), log("host/a", "page/print")) == ["lost page/popup", "added page/print"])
  }

  @Test func everyEventIsAccountedFor() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let names = ["a", "b", "c", "d", "e"]
      let first = log((0..<Int.random(in: 0...30)).map { _ in ("host/" + names.randomElement(using: &random)!, [:]) })
      let second = log((0..<Int.random(in: 0...30)).map { _ in ("host/" + names.randomElement(using: &random)!, [:]) })
      let comparison = EventComparison(first, second)
      #expect(first.count - comparison.count(.lost) == second.count - comparison.count(.added))
      #expect((first.map(\.name) == second.map(\.name)) == comparison.findings.isEmpty)
    }
  }

  @Test func longLogsThatShareLittleTakeLittleTime() {
    let first = log((0..<10_000).map { ("host/a", ["n": .number(Double($0 * 7919 % 10_007))]) })
    let second = log((0..<10_000).map { ("host/a", ["n": .number(Double($0 * 104_729 % 10_007))]) })
    let comparison = EventComparison(first, second)
    #expect(comparison.count(.moved) > 9000)
    #expect(first.count - comparison.count(.lost) == second.count - comparison.count(.added))
  }
}

@Suite struct PairingTests {
  private func words(_ pairing: Pairing) -> [String] { pairing.pairs.map { "\($0.first)=\($0.second)" } }

  @Test func equalNamesArePairs() {
    let pairing = Pairing(["a", "b", "c"], ["c", "a", "d"])
    #expect(words(pairing) == ["a=a", "c=c"])
    #expect(pairing.onlyFirst == ["b"])
    #expect(pairing.onlySecond == ["d"])
  }

  @Test func picturesWhoseNumberMovedOnAreStillPairs() {
    let pairing = Pairing(
      pictures: ["001-default.png", "002-expanded.png", "003-default.png"],
      ["001-default.png", "002-resized.png", "003-expanded.png", "004-default.png"])
    #expect(
      words(pairing) == [
        "001-default.png=001-default.png", "002-expanded.png=003-expanded.png", "003-default.png=004-default.png",
      ])
    #expect(pairing.onlyFirst == [])
    #expect(pairing.onlySecond == ["002-resized.png"])
  }

  @Test func aNumberAloneIsNoNumber() {
    let pairing = Pairing(pictures: ["1.png", "-a.png"], ["2.png", "a.png"])
    #expect(pairing.pairs == [])
    #expect(pairing.onlyFirst.count == 2)
  }
}
