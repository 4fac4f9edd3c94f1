@testable import Comparison
import RenderModel
import Testing

/// Which renders a creative needs, and what is said of it then.
@Suite struct SettlementTests {
  /// A comparison in which these pictures have these verdicts; the log and the states are the same.
  private func result(_ pictures: [String: Verdict]) -> ResultVerdict {
    var result = ResultVerdict(name: "")
    result.pictures = pictures.map { PictureVerdict(name: "\($0.key).png", verdict: $0.value, first: "", second: "") }
    result.events = EventComparison([], [])
    return result
  }

  private func sighting(
    _ baseline: [String: Verdict]?, earlier: [[String: Verdict]] = [], pictures: [String] = ["a"]
  ) -> Sighting {
    Sighting(pictures: pictures, baseline: baseline.map(result), earlier: earlier.map(result))
  }

  private func verdict(_ settlement: Settlement, _ name: String = "a") -> BaselineVerdict? {
    settlement.judgements.first { $0.name == name }?.verdict
  }

  @Test func aRenderLikeTheBaselineIsEnough() {
    var settlement = Settlement()
    settlement.take(sighting(["a": .same]))
    #expect(settlement.isSettled)
    #expect(settlement.judgements.allSatisfy { $0.verdict == .unchanged && $0.render == 0 && $0.isSteady })
    #expect(CreativeVerdict(settlement.judgements) == .unchanged)
  }

  @Test func aChangeIsBelievedWhenTwoRendersShowIt() {
    var settlement = Settlement()
    settlement.take(sighting(["a": .different]))
    #expect(!settlement.isSettled)
    settlement.take(sighting(["a": .different], earlier: [["a": .same]]))
    #expect(settlement.isSettled)
    #expect(verdict(settlement) == .changed)
    #expect(CreativeVerdict(settlement.judgements) == .changed)
  }

  @Test func aRenderThatAgreesLaterPassesButIsNotSteady() {
    var settlement = Settlement()
    settlement.take(sighting(["a": .different]))
    settlement.take(sighting(["a": .same], earlier: [["a": .different]]))
    #expect(settlement.isSettled)
    let judgement = settlement.judgements.first { $0.name == "a" }
    #expect(judgement == Judgement(name: "a", verdict: .unchanged, render: 1, isSteady: false))
  }

  @Test func rendersThatNeverAgreeAreFlakyAndFail() {
    var settlement = Settlement()
    settlement.take(sighting(["a": .different]))
    settlement.take(sighting(["a": .different], earlier: [["a": .different]]))
    settlement.take(sighting(["a": .different], earlier: [["a": .different], ["a": .different]]))
    #expect(!settlement.isSettled)
    #expect(verdict(settlement) == .flaky)
    #expect(CreativeVerdict(settlement.judgements) == .changed)
  }

  @Test func whatTheBaselineCallsFlakyMayDiffer() {
    var settlement = Settlement(tolerated: ["a"])
    settlement.take(sighting(["a": .different]))
    #expect(settlement.isSettled)
    #expect(verdict(settlement) == .flaky)
    #expect(CreativeVerdict(settlement.judgements) == .unchanged)
  }

  @Test func aPictureThatIsGoneIsMissingWhenItIsGoneTwice() {
    var settlement = Settlement()
    settlement.take(sighting(["a": .same, "b": .missing]))
    #expect(!settlement.isSettled)
    settlement.take(sighting(["a": .same, "b": .missing], earlier: [["a": .same]]))
    #expect(settlement.isSettled)
    #expect(verdict(settlement, "b") == .missing)
    #expect(settlement.judgements.first { $0.name == "b" }?.render == nil)
  }

  @Test func aPictureThatComesTwiceIsNew() {
    var settlement = Settlement()
    settlement.take(sighting(["a": .same, "b": .new], pictures: ["a", "b"]))
    settlement.take(sighting(["a": .same, "b": .new], earlier: [["a": .same, "b": .same]], pictures: ["a", "b"]))
    #expect(settlement.isSettled)
    #expect(verdict(settlement, "b") == .new)
  }

  @Test func aPictureThatOnlyOneOfThreeRendersHasIsNoPart() {
    var settlement = Settlement()
    settlement.take(sighting(nil, pictures: ["a", "b"]))
    settlement.take(sighting(nil, earlier: [["a": .same, "b": .missing]]))
    #expect(!settlement.isSettled)
    settlement.take(sighting(nil, earlier: [["a": .same, "b": .missing], ["a": .same]]))
    #expect(settlement.isSettled)
    #expect(verdict(settlement, "b") == nil)
  }

  @Test func withoutABaselineTwoRendersMustAgree() {
    var settlement = Settlement()
    settlement.take(sighting(nil))
    #expect(!settlement.isSettled)
    settlement.take(sighting(nil, earlier: [["a": .same]]))
    #expect(settlement.isSettled)
    #expect(settlement.judgements.allSatisfy { $0.verdict == .new && $0.render == 1 })
  }

  @Test func logsAreJudgedAsPicturesAre() {
    var settlement = Settlement()
    var other = result(["a": .same])
    other.events = EventComparison([], [Event(seq: 0, t: 0, source: .host, name: "open")])
    settlement.take(Sighting(pictures: ["a"], baseline: other, earlier: []))
    #expect(!settlement.isSettled)
    settlement.take(Sighting(pictures: ["a"], baseline: other, earlier: [result(["a": .same])]))
    #expect(settlement.isSettled)
    #expect(verdict(settlement, PartName.events) == .changed)
    #expect(verdict(settlement) == .unchanged)
  }
}
