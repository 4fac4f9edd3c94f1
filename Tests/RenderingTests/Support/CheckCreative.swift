import Checks
import Foundation
import Jobs
import MRAID
import Testing
import WebKitRuntime

/// A creative of `Creatives/checks`, and what the checks say about it once it was rendered and measured.
struct CheckCreative: Sendable, CustomTestStringConvertible {
  /// `family/check/file`, without the ending.
  let path: String

  init(_ path: String) { self.path = path }

  var testDescription: String { path }

  private var file: String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Creatives/checks/\(path).html")
      .path
  }

  /// Remarks of one check; nil when it had nothing to judge.
  @WebKitActor func remarks(
    _ check: String, watch: Double = 0.3, options: TestRender.Options = .init(), in render: TestRender = .shared
  ) async throws -> [Remark]? {
    var options = options
    options.measures = true
    options.watch = watch
    let result = try await render.render(path: file, options)
    let evidence = Evidence(
      record: result.record, journeys: [Journey(events: result.events)],
      inventory: Inventory(
        kind: "html", name: "ad.html",
        files: [Inventory.File(path: "index.html", text: try String(contentsOfFile: file, encoding: .utf8))]),
      measurements: try result.measurements(), profiles: Self.profiles)
    return try Check.all.first { $0.id == check }.flatMap { try $0.judge(evidence) }
  }

  /// What was measured of it in a web process of its own, in which nothing of the last one still runs.
  @WebKitActor func measurements(watch: Double) async throws -> Measurements {
    let options = TestRender.Options(isolation: .process, measures: true, watch: watch)
    return try await TestRender.shared.render(path: file, options).measurements()
  }

  /// A network that bounds motion as most do.
  private static let profiles = [
    Profile(
      id: "strict", title: "Strict",
      rules: [
        Profile.Rule(check: "motion-length", limit: 15, note: "15 s", source: Citation(title: "", url: "")),
        Profile.Rule(check: "loop-count", limit: 3, note: "3 loops", source: Citation(title: "", url: "")),
        Profile.Rule(check: "flash-count", limit: 3, note: "3 flashes", source: Citation(title: "", url: "")),
      ])
  ]
}
