import Core
import Device
import Foundation
import RenderModel

extension RenderJob {
  /// A job whose creative's name tells the fake worker what to do.
  static func fake(_ id: Int, _ name: String, output: String = "/nowhere", timeout: Double = 30) -> RenderJob {
    RenderJob(
      id: id, creative: CreativeReference(argument: name, path: "/creatives/\(name)", name: name), output: output,
      device: Device(
        name: "phone", screen: Size(width: 390, height: 844), scale: 3, touch: true, userAgent: "agent",
        platform: "iPhone"),
      placement: Placement(kind: .interstitial), limits: Limits(timeout: timeout))
  }
}

extension RenderRecord {
  /// A record as a worker would hand it over.
  static func fake(_ outcome: Outcome = .completed, failure: Fault? = nil) -> RenderRecord {
    RenderRecord(
      creative: Creative(path: "creative"),
      device: DeviceSummary(name: "phone", width: 390, height: 844, scale: 3, renderScale: 3), outcome: outcome,
      failure: failure)
  }
}
