import Jobs
import Testing

@testable import Checks

@Suite("Judging Chrome's budget")
struct HeavyAdCheckTests {
  typealias Given = MeasuredEvidence

  @Test("without measurements there is nothing to judge")
  func unmeasured() throws {
    var evidence = Given.of(Given.measured())
    evidence.measurements = nil
    for check in Check.heavyAdChecks + Check.motionChecks + Check.accessibilityChecks + Check.pageChecks {
      #expect(try check.judge(evidence) == nil, "\(check.id)")
    }
  }

  @Test("more than 4 MiB from the network is told with both numbers")
  func network() throws {
    #expect(try Check.heavyNetwork.messages(Given.of(Given.measured(bytes: 4 << 20))) == [])
    let remark = try #require(try Check.heavyNetwork.judge(Given.of(Given.measured(bytes: 5_000_000)))?.first)
    #expect(remark.message == "it loads 5 MB before anybody touches it; Chrome allows 4.2 MB")
    #expect(remark.measure == Finding.Measure(value: 5_000_000, limit: 4_194_304, unit: "B"))
  }

  @Test("a minute of the processor and half of any 30 s are limits of their own")
  func processor() throws {
    let slow = Given.of(Given.measured(samples: [(0, 0), (60, 20), (120, 40), (180, 61)]))
    #expect(try Check.heavyProcessor.messages(slow)?.count == 1)
    #expect(try Check.heavyWindow.messages(slow) == [])
    let bursting = Given.of(Given.measured(samples: [(0, 0), (10, 2), (40, 18), (50, 18)]))
    #expect(
      try Check.heavyWindow.messages(bursting) == [
        "it used the processor for 16 s of the 30 s from 10 s on; Chrome allows 15 s"
      ])
    #expect(try Check.heavyProcessor.messages(bursting) == [])
  }

  @Test("of an ad that moves, painting is part of it, so that it weighs less")
  func moving() throws {
    let motion = Given.motion(until: 30, changes: (1..<120).map { Double($0) / 5 })
    let evidence = Given.of(Given.measured(samples: [(0, 0), (30, 16)], motion: motion))
    let remark = try #require(try Check.heavyWindow.judge(evidence)?.first)
    #expect(remark.severity == .warning)
    #expect(
      try Check.heavyHeadroom.messages(Given.of(Given.measured(samples: [(0, 0), (30, 14)], motion: motion))) == [])
  }

  @Test("less than a fifth left is worth a warning, none left isn't said twice")
  func headroom() throws {
    let close = Given.of(Given.measured(bytes: 3_500_000, samples: [(0, 0), (30, 14)]))
    #expect(
      try Check.heavyHeadroom.messages(close) == [
        "of Chrome's limit for bytes from the network only 16.6 % is left; Chrome allows 4.2 MB",
        "of Chrome's limit for busiest 30 s only 6.7 % is left; Chrome allows 15 s",
      ])
    #expect(try Check.heavyHeadroom.messages(Given.of(Given.measured(bytes: 5_000_000))) == [])
  }

  @Test("working hard at rest is told, working hard while moving or loading isn't")
  func pace() throws {
    let busy: [(t: Double, seconds: Double)] = [(0, 0), (1, 0.8), (2, 1.6), (3, 2.4)]
    let resting = Given.of(Given.measured(samples: busy, motion: Given.motion(until: 3)))
    #expect(
      try Check.heavyPace.messages(resting) == ["it uses 80 % of a processor while its picture stands still"])
    let moving = Given.motion(until: 3, changes: [0.5, 1, 1.5, 2, 2.5])
    #expect(try Check.heavyPace.messages(Given.of(Given.measured(samples: busy, motion: moving))) == nil)
    let calm = Given.measured(samples: [(0, 0), (1, 0.9), (2, 0.95), (3, 1)], motion: Given.motion(until: 3))
    #expect(try Check.heavyPace.messages(Given.of(calm)) == [])
  }
}
