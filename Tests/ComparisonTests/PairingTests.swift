import Comparison
import Testing

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
