import Checks
import Core
internal import Device
import FoundationEssentials
import MRAID
import Pixels
import RenderModel

@testable import Reports

/// Reports made by hand, as a run of checks would leave them.
enum Sample {
  /// Text of a creative that tries every break of an output: markup, quotes with an accent, commands, attachments.
  static let hostile =
    "<script>alert(1)</script>\"\u{301} onclick='x' & <!-- ]]> [[ATTACHMENT|/etc/passwd]] "
    + "\u{202E}\u{1B}[31m\n::error::owned\r  ::set-env::x\r\n##vso[task.setvariable variable=A]b ##teamcity[x]"

  static let rules = [
    rule("mraid-premature-call", .mraid, .error, "Calls MRAID before it is ready"),
    rule("weight-initial", .weight, .error, "Heavier than allowed at first"),
    rule("console-error", .robustness, .warning, "Logs errors"),
    rule("alt-missing", .accessibility, .note, "A picture without a text"),
  ]

  static func rule(_ id: String, _ family: CheckFamily, _ severity: Severity, _ title: String) -> CheckReport.Rule {
    CheckReport.Rule(
      id: id, family: family, severity: severity, title: title, why: "Because \(id) matters.",
      remedy: "Do away with \(id).",
      source: Citation(title: "A standard", url: "https://example.com/standard#\(id)", date: "2018-04"))
  }

  static func finding(
    _ check: String, _ severity: Severity, _ message: String = "found", place: Finding.Place? = nil,
    measure: Finding.Measure? = nil, event: Int? = nil, screenshot: String? = nil, profiles: [String] = []
  ) -> Finding {
    Finding(
      check: check, severity: severity, message: message, profiles: profiles, place: place, measure: measure,
      event: event, screenshot: screenshot, key: "\(check) key")
  }

  static func creative(
    _ name: String, status: CreativeReport.Status = .passed, findings: [Finding] = [],
    suppressed: [CreativeReport.Suppressed] = [], broken: [CreativeReport.BrokenCheck] = [], passed: [String] = [],
    acceptance: [CreativeReport.Acceptance] = []
  ) -> CreativeReport {
    CreativeReport(
      name: name, folder: name, record: record(name, status), status: status, findings: findings,
      suppressed: suppressed, brokenChecks: broken, passedChecks: passed, acceptance: acceptance)
  }

  static func record(_ name: String, _ status: CreativeReport.Status) -> RenderRecord {
    let failure: Fault? =
      switch status {
      case .passed, .failed: nil
      case .timedOut: .deadline("timeout", "not done within 30 s")
      case .broken: .engine("worker-died", "the worker died")
      }
    return RenderRecord(
      creative: RenderRecord.Creative(path: "Creatives/\(name)", sha256: "00ff", kind: "folder"),
      device: RenderRecord.DeviceSummary(name: "iphone-15", width: 393, height: 852, scale: 3, renderScale: 3),
      placement: RenderRecord.PlacementSummary(kind: .banner, width: 320, height: 50, position: .center),
      outcome: failure == nil ? .completed : .timedOut, failure: failure, states: [.default, .expanded],
      transitions: [
        RenderRecord.Transition(from: .loading, to: .default, t: 100, cause: "ready"),
        RenderRecord.Transition(from: .default, to: .expanded, t: 900, cause: "expand"),
      ],
      screenshots: [
        RenderRecord.Screenshot(
          name: "001-default", path: "screenshots/001-default.png", state: .default, t: 400, width: 1179, height: 2556),
        RenderRecord.Screenshot(
          name: "002-expanded", path: "screenshots/002-expanded.png", state: .expanded, t: 1100, width: 1179,
          height: 2556),
      ], eventCount: 3, timings: ["total": 1500])
  }

  /// Creates a creative of which a network's rule wasn't tried.
  static func untried(_ name: String) -> CreativeReport {
    let rule = CreativeReport.NotTried(check: "console-error", needs: [.touch])
    var creative = creative(
      name,
      acceptance: [
        CreativeReport.Acceptance(profile: "iab"), CreativeReport.Acceptance(profile: "unity", notTried: [rule]),
      ])
    creative.notTried = [rule]
    return creative
  }

  static func report(_ creatives: [CreativeReport]) -> CheckReport {
    CheckReport(
      galley: "0.1.0", rules: rules,
      profiles: [
        CheckReport.ProfileSummary(id: "iab", title: "IAB"),
        CheckReport.ProfileSummary(id: "unity", title: "Unity Ads"),
      ], creatives: creatives)
  }

  /// A report with one of everything.
  static var full: CheckReport {
    report([
      creative("fine", passed: rules.map(\.id)),
      creative(
        "early", status: .failed,
        findings: [
          finding(
            "mraid-premature-call", .error, "expand() 12 ms before ready",
            place: Finding.Place(file: "ad.js", line: 12, column: 4), event: 2, screenshot: "002-expanded"),
          finding("mraid-premature-call", .error, "open() 9 ms before ready"),
          finding("console-error", .warning, hostile),
        ],
        suppressed: [
          CreativeReport.Suppressed(
            finding: finding("alt-missing", .note, "img.logo"), reason: "decorative", expires: "2027-01-31")
        ], passed: ["weight-initial"],
        acceptance: [
          CreativeReport.Acceptance(profile: "iab"),
          CreativeReport.Acceptance(profile: "unity", refusedBy: ["mraid-premature-call"]),
        ]),
      creative("slow", status: .timedOut),
      creative(
        "odd", broken: [CreativeReport.BrokenCheck(check: "weight-initial", message: "no measurements")],
        passed: ["console-error"]),
    ])
  }

  static func source(_ report: CheckReport) -> ReportSource {
    ReportSource(report: report, folder: "/work/out", base: "/work", finished: 1_790_000_000_000)
  }
}

/// A folder with the results of a report on disk; gone with the value.
final class SampleFolder {
  let path = FileManager.default.temporaryDirectory.path + "/galley-reports-\(UUID().uuidString)"
  let report: CheckReport

  init(_ report: CheckReport, events: [Event] = [], exploration: String? = nil, measurements: Measurements? = nil)
    throws
  {
    self.report = report
    for creative in report.creatives {
      let folder = "\(path)/\(creative.folder)"
      try FileManager.default.createDirectory(atPath: folder + "/screenshots", withIntermediateDirectories: true)
      for (index, shot) in creative.record.screenshots.enumerated() {
        let color = Color(red: UInt8(40 * index), green: 90, blue: 160)
        try PNGEncoder.write(Bitmap(width: 117, height: 255, fill: color), to: "\(folder)/\(shot.path)")
      }
      let lines = try events.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) + "\n" }
      try Data(lines.joined().utf8).write(to: URL(filePath: folder + "/events.ndjson"))
      if let measurements {
        try JSONEncoder().encode(measurements).write(to: URL(filePath: "\(folder)/\(Measurements.fileName)"))
      }
      if let exploration { try Data(exploration.utf8).write(to: URL(filePath: folder + "/exploration.json")) }
    }
    try JSONEncoder().encode(report).write(to: URL(filePath: path + "/report.json"))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var source: ReportSource { ReportSource(report: report, folder: path, base: path) }
}

extension Sample {
  static let measurements: Measurements = {
    let script = MeasuredResource(
      url: "https://ads.example/a.js", origin: .network, method: "POST", type: "text/javascript", initiator: "script",
      start: 20, end: 85.5, encoded: 4_040, decoded: 12_000,
      requestHeaders: [MeasuredResource.Header(name: "Accept", value: "*/*")],
      responseHeaders: [MeasuredResource.Header(name: "Content-Encoding", value: "gzip")])
    return Measurements(
      clock: .real,
      load: LoadBoundary.all(domContentLoaded: 90, windowLoad: 300, complete: 300, dividing: [script]),
      resources: [script], heavyAd: HeavyAdBudget(resources: [script], samples: [], activation: nil, end: 1_000))
  }()

  static let events = [
    Event(seq: 0, t: 3, source: .host, name: "load", detail: ["placement": "banner"]),
    Event(
      seq: 1, t: 90, source: .network, name: "resource",
      detail: [
        "url": "https://ads.example/a%20b.js?x=1&y=%3Cb%3E", "status": 200, "type": "text/javascript", "bytes": 4_040,
        "redirects": ["http://ads.example/old.js"], "timing": ["start": 20, "end": 85.5],
      ]),
    Event(
      seq: 2, t: 120, source: .network, name: "resource",
      detail: [
        "url": "https://gone.example/x.png", "status": 0, "type": "", "bytes": -1, "failure": "cancelled",
        "timing": ["start": 100, "end": 110],
      ]),
    Event(seq: 3, t: 300, source: .page, name: "loadFinished"),
    Event(seq: 4, t: 950, source: .page, name: "console", detail: ["level": "log", "text": .string(hostile)]),
  ]
}
