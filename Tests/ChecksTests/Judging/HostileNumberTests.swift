import Jobs
import MRAID
import Testing

@testable import Checks

/// Numbers that a page or a server put into what was found: judging them costs no more than a creative's verdict.
@Suite struct HostileNumberTests {
  static let hostile: [Double] = [
    .nan, .infinity, -.infinity, 1e308, -1e308, 1e20, 2_147_483_647, 2_147_483_649, -2_147_483_649,
    9_007_199_254_740_994, 9.223372036854775808e18, -0.0,
  ]

  @Test(arguments: hostile, Checks.Unit.allCases)
  func `every number with every unit is text`(number: Double, unit: Checks.Unit) {
    #expect(!unit.text(number).isEmpty)
  }

  @Test(arguments: hostile)
  func `every check judges every number in the log`(number: Double) throws {
    let value = JSONValue.number(number)
    let detail: JSONValue = [
      "line": value, "column": value, "status": value, "bytes": value, "code": value, "count": value, "capacity": value,
      "x": value, "y": value, "width": value, "height": value, "seconds": value, "url": "https://a.example/a.png",
      "message": value, "text": value, "level": "error", "file": "creative://ad/a.js", "arguments": [value, value],
      "timing": ["start": value, "end": value], "state": "default", "name": value, "failure": value,
    ]
    let names = [
      "exception", "rejection", "console", "resource", "navigation", "dialog", "resize", "setResizeProperties", "error",
      "flaw", "settled", "logTruncated", "expand", "open", "violation", "webProcessEnded", "loadFinished",
    ]
    let events = Event.Source.allCases.flatMap { source in names.map { event(source, $0, detail) } }
    try judge(.made(events, profiles: ProfileCatalogue.standard.profiles))
  }

  @Test(arguments: hostile)
  func `every check judges every number that was measured`(number: Double) throws {
    let count = Int(exactly: number) ?? .max
    let element = DocumentAudit.Element(
      kind: "close", selector: "a", text: "x", frame: Rect(x: number, y: number, width: number, height: number))
    let document = DocumentAudit(
      lettering: [.init(element: element, size: number)], overflow: .init(x: number, y: number, scrolls: false),
      clipped: [element], closeControls: [.init(element: element, contrast: number)],
      media: [MediaElement(selector: "video", isPlaying: true, isAudible: true, duration: number)],
      animations: AnimationAudit(running: count, endless: count, end: number, loops: number, names: ["spin"]),
      canvases: count)
    let surface = SurfaceAudit(isBlank: false, hasBorder: false, whiteEdge: number, blackEdge: number)
    let heavy = (0..<3).map { index in
      var resource = resource("https://a.example/adchoices\(index).png", bytes: count, start: number)
      (resource.decoded, resource.status) = (count, count)
      return resource
    }
    var measured = Measurements.made(heavy)
    measured.pages = [
      PageAudit(state: .default, t: number, width: number, height: number, document: document, surface: surface)
    ]
    for steps in [[], [MotionMeasure.Step(t: number, share: number)]] {
      measured.motion = MotionMeasure(
        from: number, until: number, pictures: count, steps: steps,
        flashes: FlashMeasure(count: count, mostInOneSecond: count, worstFrom: number, area: number, share: number))
      try judge(
        .made(profiles: ProfileCatalogue.standard.profiles) {
          $0.measurements = measured
          $0.record.placement?.width = number
          $0.record.placement?.height = number
        })
    }
  }

  /// The report is as long as it is, and can be written down.
  private func judge(_ evidence: Evidence) throws {
    let report = Judge(checks: Check.all, policy: Policy(), profiles: evidence.profiles, today: "2026-11-22")
      .report(on: evidence, name: "ad", folder: "ad")
    #expect(report.brokenChecks == [])
    #expect(report.findings.allSatisfy { !$0.message.isEmpty })
  }
}
