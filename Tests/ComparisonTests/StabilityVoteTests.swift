import RenderModel
import Testing

@testable import Comparison

/// Renders that a creative needs, and the verdict that they give.
@Suite struct StabilityVoteTests {
  /// Creates a comparison in which these pictures have these verdicts; the log and the states are the same.
  private func result(_ pictures: [String: Verdict]) -> ResultVerdict {
    var result = ResultVerdict(name: "")
    result.pictures = pictures.map {
      ScreenshotVerdict(name: "\($0.key).png", verdict: $0.value, first: "", second: "")
    }
    result.events = EventComparison([], [])
    return result
  }

  private func sighting(
    _ baseline: [String: Verdict]?, earlier: [[String: Verdict]] = [], pictures: [String] = ["a"]
  ) -> PartSample {
    PartSample(pictures: pictures, baseline: baseline.map(result), earlier: earlier.map(result))
  }

  private func verdict(_ vote: StabilityVote, _ name: String = "a") -> BaselineVerdict? {
    vote.judgements.first { $0.name == name }?.verdict
  }

  @Test func aRenderLikeTheBaselineIsEnough() {
    var vote = StabilityVote()
    vote.addSample(sighting(["a": .same]))
    #expect(vote.isSettled)
    #expect(vote.judgements.allSatisfy { $0.verdict == .unchanged && $0.render == 0 && $0.isSteady })
    #expect(CreativeVerdict(vote.judgements) == .unchanged)
  }

  @Test func aChangeIsBelievedWhenTwoRendersShowIt() {
    var vote = StabilityVote()
    vote.addSample(sighting(["a": .different]))
    #expect(!vote.isSettled)
    vote.addSample(sighting(["a": .different], earlier: [["a": .same]]))
    #expect(vote.isSettled)
    #expect(verdict(vote) == .changed)
    #expect(CreativeVerdict(vote.judgements) == .changed)
  }

  @Test func aRenderThatAgreesLaterPassesButIsNotSteady() {
    var vote = StabilityVote()
    vote.addSample(sighting(["a": .different]))
    vote.addSample(sighting(["a": .same], earlier: [["a": .different]]))
    #expect(vote.isSettled)
    let judgement = vote.judgements.first { $0.name == "a" }
    #expect(judgement == PartVerdict(name: "a", verdict: .unchanged, render: 1, isSteady: false))
  }

  @Test func rendersThatNeverAgreeAreFlakyAndFail() {
    var vote = StabilityVote()
    vote.addSample(sighting(["a": .different]))
    vote.addSample(sighting(["a": .different], earlier: [["a": .different]]))
    vote.addSample(sighting(["a": .different], earlier: [["a": .different], ["a": .different]]))
    #expect(!vote.isSettled)
    #expect(verdict(vote) == .flaky)
    #expect(CreativeVerdict(vote.judgements) == .changed)
  }

  @Test func whatTheBaselineCallsFlakyMayDiffer() {
    var vote = StabilityVote(tolerated: ["a"])
    vote.addSample(sighting(["a": .different]))
    #expect(vote.isSettled)
    #expect(verdict(vote) == .flaky)
    #expect(CreativeVerdict(vote.judgements) == .unchanged)
  }

  @Test func aPictureThatIsGoneIsMissingWhenItIsGoneTwice() {
    var vote = StabilityVote()
    vote.addSample(sighting(["a": .same, "b": .missing]))
    #expect(!vote.isSettled)
    vote.addSample(sighting(["a": .same, "b": .missing], earlier: [["a": .same]]))
    #expect(vote.isSettled)
    #expect(verdict(vote, "b") == .missing)
    #expect(vote.judgements.first { $0.name == "b" }?.render == nil)
  }

  @Test func aPictureThatComesTwiceIsNew() {
    var vote = StabilityVote()
    vote.addSample(sighting(["a": .same, "b": .new], pictures: ["a", "b"]))
    vote.addSample(sighting(["a": .same, "b": .new], earlier: [["a": .same, "b": .same]], pictures: ["a", "b"]))
    #expect(vote.isSettled)
    #expect(verdict(vote, "b") == .new)
  }

  @Test func aPictureThatOnlyOneOfThreeRendersHasIsNoPart() {
    var vote = StabilityVote()
    vote.addSample(sighting(nil, pictures: ["a", "b"]))
    vote.addSample(sighting(nil, earlier: [["a": .same, "b": .missing]]))
    #expect(!vote.isSettled)
    vote.addSample(sighting(nil, earlier: [["a": .same, "b": .missing], ["a": .same]]))
    #expect(vote.isSettled)
    #expect(verdict(vote, "b") == nil)
  }

  @Test func withoutABaselineTwoRendersMustAgree() {
    var vote = StabilityVote()
    vote.addSample(sighting(nil))
    #expect(!vote.isSettled)
    vote.addSample(sighting(nil, earlier: [["a": .same]]))
    #expect(vote.isSettled)
    #expect(vote.judgements.allSatisfy { $0.verdict == .new && $0.render == 1 })
  }

  @Test func logsAreJudgedAsPicturesAre() {
    var vote = StabilityVote()
    var other = result(["a": .same])
    other.events = EventComparison([], [Event(seq: 0, t: 0, source: .host, name: "open")])
    vote.addSample(PartSample(pictures: ["a"], baseline: other, earlier: []))
    #expect(!vote.isSettled)
    vote.addSample(PartSample(pictures: ["a"], baseline: other, earlier: [result(["a": .same])]))
    #expect(vote.isSettled)
    #expect(verdict(vote, PartName.events) == .changed)
    #expect(verdict(vote) == .unchanged)
  }
}
