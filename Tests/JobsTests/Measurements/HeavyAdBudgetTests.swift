import Jobs
import Testing

@Suite("What is left of Chrome's budget")
struct HeavyAdBudgetTests {
  private func samples(_ pairs: [(Double, Double)]) -> [ProcessorSample] {
    pairs.map { ProcessorSample(t: $0 * 1_000, seconds: $1) }
  }

  @Test("the busiest window is the one in which most was used, wherever it begins")
  func busiest() {
    let course = samples([(0, 0), (10, 1), (20, 9), (40, 20), (50, 20), (80, 21)])
    #expect(course.busiest(within: 30_000) == (19, 10_000))
    #expect(course.busiest(within: 10_000) == (8, 10_000))
    #expect(samples([]).busiest(within: 30_000) == (0, 0))
  }

  @Test("headroom is what is left in percent, and falls below zero")
  func headroom() {
    let heavy = MeasuredResource(url: "a", origin: .network, encoded: 5 << 20)
    let budget = HeavyAdBudget(resources: [heavy], samples: samples([(0, 0), (31, 12)]), activation: nil, end: 31_000)
    #expect(budget.network.headroom == -25)
    #expect(budget.processor.headroom == 80)
    #expect(budget.busiest.used == 0, "no window of 30 s holds both samples")
    #expect(budget.measured == 31_000)
  }

  @Test("what comes after somebody touched the ad doesn't count")
  func activation() {
    let early = MeasuredResource(url: "a", origin: .network, start: 10, encoded: 1_000)
    let late = MeasuredResource(url: "b", origin: .network, start: 2_500, encoded: 9_000)
    let budget = HeavyAdBudget(
      resources: [early, late], samples: samples([(0, 0), (1, 0.5), (3, 2)]), activation: 2_000, end: 3_000)
    #expect(budget.network.used == 1_000)
    #expect(budget.processor.used == 0.5)
    #expect(budget.measured == 2_000)
    #expect(budget.samples.count == 3)
  }
}
