import Checks
import FoundationEssentials
import Jobs
import MRAID
import Pixels

@testable import Reports

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
