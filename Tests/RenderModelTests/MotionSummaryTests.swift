import RenderModel
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
    #expect(budget.network.remaining == -25)
    #expect(budget.processor.remaining == 80)
    #expect(budget.peakWindow.used == 0, "no window of 30 s holds both samples")
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

@Suite("The ends of the initial load")
struct LoadBoundaryTests {
  private let resources = [
    MeasuredResource(url: "index.html", origin: .creative, start: 0, encoded: 4_000, gzipEstimate: 1_000),
    MeasuredResource(url: "mraid.js", origin: .container, start: 5, encoded: 60),
    MeasuredResource(url: "a.png", origin: .creative, start: 300, end: 900, encoded: 2_000),
    MeasuredResource(url: "b.js", origin: .network, start: 1_200, encoded: 500, decoded: 1_500, gzipEstimate: 1),
  ]

  @Test("a resource belongs to the initial load when it was asked for by then, however long it takes")
  func divides() {
    let boundary = LoadBoundary(kind: .windowLoad, t: 300, dividing: resources)
    #expect(boundary.initial == LoadWeight(requests: 2, bytes: 6_000, compressed: 3_000))
    #expect(boundary.subload == LoadWeight(requests: 1, bytes: 500, compressed: 500))
  }

  @Test("where an end never came, everything is initial")
  func neverComes() {
    let boundary = LoadBoundary(kind: .complete, t: nil, dividing: resources)
    #expect(boundary.initial == LoadWeight(requests: 3, bytes: 6_500, compressed: 3_500))
    #expect(boundary.subload == LoadWeight())
  }

  @Test("there are four, one of them a second after DOMContentLoaded")
  func four() {
    let all = LoadBoundary.all(domContentLoaded: 150, windowLoad: 400, complete: nil, dividing: resources)
    #expect(all.map(\.kind) == LoadBoundary.Kind.allCases)
    #expect(all.map(\.t) == [150, 1_150, 400, nil])
    #expect(all.map(\.initial.requests) == [1, 2, 2, 3])
  }

  @Test("the estimate never makes a file larger, and what came over the network is as it came")
  func compressed() {
    #expect(MeasuredResource(url: "t", origin: .creative, encoded: 10, gzipEstimate: 30).compressed == 10)
    #expect(MeasuredResource(url: "t", origin: .network, encoded: 10, gzipEstimate: 3).compressed == 10)
    #expect(MeasuredResource(url: "t", origin: .network, decoded: 12).bytes == 12)
  }
}

@Suite("Captures")
struct CapturesTests {
  @Test("are due in order, pictures and frames of one instant together")
  func moments() {
    let captures = CaptureSchedule(instants: [2, 0, 0.75], filmstrip: .init(interval: 0.5, length: 1))
    #expect(captures.moments.map(\.seconds) == [0, 0.5, 0.75, 1, 2])
    #expect(captures.moments.map(\.isPicture) == [true, false, true, false, true])
    #expect(captures.moments.map(\.isFrame) == [true, true, false, true, false])
    #expect(captures.end == 2)
  }

  @Test("of nothing have no moments")
  func empty() {
    #expect(CaptureSchedule().isEmpty)
    #expect(CaptureSchedule().moments.isEmpty)
    #expect(CaptureSchedule().end == 0)
  }

  @Test(
    "have a last frame however the interval divides the length",
    arguments: [
      (0.1, 1.0, 11), (0.3, 1, 4), (0.5, 15, 31), (1, 1, 2), (0.1, 300, 240),
    ])
  func frames(interval: Double, length: Double, count: Int) {
    #expect(CaptureSchedule.Filmstrip(interval: interval, length: length).instants.count == count)
  }
}
