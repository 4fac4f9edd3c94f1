internal import Checks
internal import Jobs

/// How the run went: renders and checks that failed by Galley's fault, or for want of time.
struct SARIFInvocation: Encodable {
  struct Reference: Encodable {
    let id: String
    let index: Int?
  }
  struct Notification: Encodable {
    let level: String
    let message: SARIFLog.Message
    let associatedRule: Reference?
    let locations: [SARIFLocation]
  }

  let executionSuccessful: Bool
  let toolExecutionNotifications: [Notification]

  init(_ report: CheckReport, _ indices: [String: Int]) {
    executionSuccessful = !report.creatives.contains { $0.status == .broken || $0.status == .timedOut }
    toolExecutionNotifications = report.creatives.flatMap { creative in
      Self.render(creative)
        + creative.brokenChecks.map {
          Notification(
            level: "error", message: SARIFLog.Message(text: ReportText.shown("\(creative.name): \($0.message)")),
            associatedRule: Reference(id: $0.check, index: indices[$0.check]),
            locations: [SARIFLocation(nil, in: creative)])
        }
    }
  }

  private static func render(_ creative: CreativeReport) -> [Notification] {
    guard creative.status == .broken || creative.status == .timedOut else { return [] }
    let reason = creative.record.message ?? creative.record.outcome.rawValue
    return [
      Notification(
        level: "error", message: SARIFLog.Message(text: ReportText.shown("\(creative.name): \(reason)")),
        associatedRule: nil, locations: [SARIFLocation(nil, in: creative)])
    ]
  }
}
