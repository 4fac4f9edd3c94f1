import Jobs
import MRAID

extension RenderRecord {
  /// A record with nothing but what a test is about.
  static func fake(_ outcome: Outcome = .completed, _ failure: Fault? = nil, states: [MRAIDState] = []) -> RenderRecord
  {
    RenderRecord(
      creative: Creative(path: "creative"),
      device: DeviceSummary(name: "phone", width: 390, height: 844, scale: 3, renderScale: 3), outcome: outcome,
      failure: failure, states: states, timings: ["total": 412.4])
  }
}
