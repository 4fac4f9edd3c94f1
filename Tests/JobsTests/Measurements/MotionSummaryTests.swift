import Jobs
import Testing

@Suite("What an ad's motion comes to")
struct MotionSummaryTests {
  private func summary(_ steps: [Double], until: Double) -> MotionSummary {
    MotionSummary(steps: steps.map { .init(t: $0, share: 0.1) }, from: 100, until: until)
  }

  @Test("what never moves shows its end frame from the start")
  func still() {
    let found = summary([], until: 31_000)
    #expect(found.lastChange == nil && found.intervals.isEmpty && found.endFrame == 100)
    #expect(found.movesAfter15 == false && found.movesAfter30 == false)
  }

  @Test("a second of rest divides what moves, less doesn't")
  func intervals() {
    let found = summary([300, 500, 1_499, 2_499, 2_699], until: 4_000)
    #expect(found.intervals == [.init(from: 300, until: 1_499), .init(from: 2_499, until: 2_699)])
    #expect(found.endFrame == 2_699)
  }

  @Test("what moves until it is left has no end frame")
  func moving() {
    let found = summary([15_001, 15_900], until: 16_000)
    #expect(found.endFrame == nil && found.lastChange == 15_900)
    #expect(found.movesAfter15 == true && found.movesAfter30 == nil, "30 s weren't watched")
  }
}
