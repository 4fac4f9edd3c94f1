import Foundation
import Jobs
import MRAID
import Stage

/// Records and events to hold against their schemas.
enum Samples {
  /// A record in which every optional member has a value.
  static let full = RenderRecord(
    creative: .init(path: "ads/one.zip", sha256: String(repeating: "0f", count: 32), kind: "zip"),
    device: .init(name: "pixel-8", width: 412, height: 915, scale: 2.625, renderScale: 3),
    placement: .init(kind: .banner, width: 320, height: 50.5, position: .bottom, isAssumed: true), container: "prebid-ios",
    engine: .init(webkit: "2.50.6", galley: "0.1.0", sandbox: true, compositor: true), outcome: .failed,
    failure: .creative("expectation-failed", "scenario.yaml:7: expected expanded, found default"),
    states: [.default, .expanded, .default],
    transitions: [
      .init(from: .loading, to: .default, t: 81.5, cause: "load"),
      .init(from: .default, to: .expanded, t: 140, cause: "expand"),
    ],
    screenshots: [
      .init(
        name: "001-default", path: "screenshots/001-default.png", state: .default, t: 90, at: 1.5, width: 1236,
        height: 2745)
    ],
    filmstrip: .init(sheet: "filmstrip.png", animation: "filmstrip-animation.png", interval: 0.5, frames: 31),
    inexact: Inexact.allCases,
    warnings: ["The creative never asked for mraid.js."], eventCount: 42, attempts: 2,
    timings: ["open": 3.25, "load": 81, "total": 412])

  /// A record in which no optional member has a value.
  static let bare = RenderRecord(
    creative: .init(path: "-"), device: .init(name: "custom", width: 1, height: 1, scale: 1, renderScale: 1),
    outcome: .completed)

  /// A value as its JSON.
  static func json(_ value: some Encodable) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
  }
}
