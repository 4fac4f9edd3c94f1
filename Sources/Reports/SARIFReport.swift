internal import Checks
package import Core
internal import RenderModel

/// SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0): one run, a result for each finding.
package enum SARIFReport {
  /// The whole log file.
  package static func text(_ source: ReportSource) throws(Fault) -> String {
    try ReportJSON.text(SARIFLog(source))
  }
}

/// The log file and its one run.
struct SARIFLog: Encodable {
  struct Run: Encodable {
    let tool: Tool
    let invocations: [SARIFInvocation]
    let results: [SARIFResult]
    let columnKind = "unicodeCodePoints"
  }
  struct Tool: Encodable {
    let driver: Driver
  }
  struct Driver: Encodable {
    let name = "galley"
    let semanticVersion: String
    let rules: [SARIFRule]
  }
  struct Message: Encodable {
    let text: String
  }

  let version = "2.1.0"
  let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
  let runs: [Run]

  enum CodingKeys: String, CodingKey {
    case version, runs
    case schema = "$schema"
  }

  init(_ source: ReportSource) {
    let report = source.report
    let rules = report.rules.map(SARIFRule.init)
    let driver = Driver(semanticVersion: report.galley, rules: rules)
    let indices = Dictionary(rules.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    let results = report.creatives.flatMap { creative in
      creative.findings.map { SARIFResult($0, in: creative, source: source, rule: indices[$0.check]) }
        + creative.suppressed.map {
          SARIFResult($0.finding, suppressed: $0, in: creative, source: source, rule: indices[$0.finding.check])
        }
    }
    runs = [Run(tool: Tool(driver: driver), invocations: [SARIFInvocation(report, indices)], results: results)]
  }
}

extension Severity {
  /// The word is SARIF's already.
  var level: String { rawValue }
}

/// A rule with what a viewer shows of it.
struct SARIFRule: Encodable {
  struct Help: Encodable {
    let text: String
    let markdown: String
  }
  struct Configuration: Encodable {
    let level: String
  }
  struct Properties: Encodable {
    let tags: [String]
    let source: String
    let sourceDate: String?
  }

  let id: String
  let name: String
  let shortDescription: SARIFLog.Message
  let fullDescription: SARIFLog.Message
  let help: Help
  /// Nil for what no browser can open.
  let helpUri: String?
  let defaultConfiguration: Configuration
  let properties: Properties

  init(_ rule: CheckReport.Rule) {
    id = rule.id
    name = rule.id.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    shortDescription = SARIFLog.Message(text: rule.title)
    fullDescription = SARIFLog.Message(text: rule.why)
    let date = rule.source.date.map { " (\($0))" } ?? ""
    let address = rule.source.isOnTheWeb ? rule.source.url : nil
    let (name, link) = (rule.source.title, address.map { "[\(rule.source.title)](\($0))" } ?? rule.source.title)
    help = Help(
      text: "\(rule.why)\n\n\(rule.remedy)\n\nSource: \(name)\(date)\(address.map { ", \($0)" } ?? "")",
      markdown: "\(rule.why)\n\n**Remedy:** \(rule.remedy)\n\nSource: \(link)\(date)")
    helpUri = address.map(SARIFPath.address)
    defaultConfiguration = Configuration(level: rule.severity.level)
    properties = Properties(tags: [rule.family.rawValue], source: rule.source.title, sourceDate: rule.source.date)
  }
}

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
