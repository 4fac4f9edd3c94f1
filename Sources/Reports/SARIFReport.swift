internal import Checks
package import Core
internal import RenderModel

/// SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0): one run, a result for each finding.
package enum SARIFReport {
  /// Returns the whole log file.
  package static func text(_ source: ReportSource) throws(Fault) -> String {
    try ReportJSON.text(SARIFLog(source))
  }
}

/// Log file with its single run.
struct SARIFLog: Encodable {
  struct Run: Encodable {
    let tool: Tool
    let invocations: [SARIFInvocation]
    let results: [SARIFResult]
    let columnKind = "unicodeCodePoints"
    /// Additional data; nil for reports of older versions.
    let properties: Properties?
  }
  /// Data for which the format has no member.
  struct Properties: Encodable {
    let policy: PolicySource?
    /// Answers of the networks to builds of playables; nil for other checks.
    let playables: [SARIFAnswer]?

    /// Makes the data; nil if there is none.
    init?(_ report: CheckReport) {
      policy = report.policy
      let answers = PlayableMatrix(report).rows.flatMap { row in row.cells.map { SARIFAnswer($0, to: row.build) } }
      playables = answers.isEmpty ? nil : answers
      if policy == nil, playables == nil { return nil }
    }
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
    let hasFailed = report.creatives.contains { $0.problems.contains { $0.check == CreativeReport.renderID } }
    let rules = (report.rules + (hasFailed ? [Self.render] : [])).map(SARIFRule.init)
    let driver = Driver(semanticVersion: report.galley, rules: rules)
    let indices = Dictionary(rules.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    let results = report.creatives.flatMap { creative in
      creative.problems.map { SARIFResult($0, in: creative, source: source, rule: indices[$0.check]) }
        + creative.suppressed.map {
          SARIFResult($0.finding, suppressed: $0, in: creative, source: source, rule: indices[$0.finding.check])
        }
    }
    runs = [
      Run(
        tool: Tool(driver: driver), invocations: [SARIFInvocation(report, indices)], results: results,
        properties: Properties(report))
    ]
  }
}

extension SARIFLog {
  /// Rule for renders that failed by the creative's fault: it isn't a check, but counts as an error.
  fileprivate static let render = CheckReport.Rule(
    id: CreativeReport.renderID, family: .robustness, severity: .error, title: "Render failed",
    why: "An ad that can't be loaded, or whose render doesn't complete, isn't shown.",
    remedy: "Fix the problem that the message describes.",
    source: Citation(title: "Galley", url: "urn:galley:render"))
}

extension Severity {
  /// SARIF's level, which is the same word as the severity.
  var level: String { rawValue }
}

/// Rule with the data that viewers show.
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
  /// URL of the rule's source; nil if no browser can open it.
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

/// Answer of a network to a build of a playable.
struct SARIFAnswer: Encodable {
  let build: String
  let network: String
  let answer: CreativeReport.Acceptance.Verdict
  /// Reason why the network has to accept the build; nil if its answer is information.
  let asked: CreativeReport.Acceptance.Asked?
  /// Reasons of an answer other than accepted.
  let reasons: String?

  init(_ cell: PlayableMatrix.Cell, to build: String) {
    self.build = ReportText.line(build)
    (network, answer, asked) = (cell.answer.profile, cell.answer.verdict, cell.answer.asked)
    reasons = cell.reasons.map(ReportText.line)
  }
}

/// Outcome of the run: failures by Galley's fault or a time limit, warnings of renders, and rules that weren't tried.
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
      Self.render(creative) + Self.notTried(creative, indices)
        + creative.brokenChecks.map {
          Notification(
            level: "error", message: SARIFLog.Message(text: ReportText.shown("\(creative.name): \($0.message)")),
            associatedRule: Reference(id: $0.check, index: indices[$0.check]),
            locations: [SARIFLocation(nil, in: creative)])
        }
    }
  }

  /// Returns notes on the networks' rules that weren't tried; a policy that demands trying makes results of them.
  ///
  /// Networks that don't have to accept a playable's build have none.
  private static func notTried(_ creative: CreativeReport, _ indices: [String: Int]) -> [Notification] {
    creative.rows(.notTried).flatMap { row in
      row.notTried.filter { rule in !creative.findings.contains { $0.check == rule.check } }.map { rule in
        let text = "\(creative.name): not tried for \(row.profile): \(rule.check) (\(rule.reason))"
        return Notification(
          level: "note", message: SARIFLog.Message(text: ReportText.shown(text)),
          associatedRule: indices[rule.check].map { Reference(id: rule.check, index: $0) },
          locations: [SARIFLocation(nil, in: creative)])
      }
    }
  }

  private static func render(_ creative: CreativeReport) -> [Notification] {
    let warnings = creative.record.warnings.map {
      Notification(
        level: "warning", message: SARIFLog.Message(text: ReportText.shown("\(creative.name): \($0)")),
        associatedRule: nil, locations: [SARIFLocation(nil, in: creative)])
    }
    guard creative.status == .broken || creative.status == .timedOut else { return warnings }
    let reason = creative.record.message ?? creative.record.outcome.rawValue
    return [
      Notification(
        level: "error", message: SARIFLog.Message(text: ReportText.shown("\(creative.name): \(reason)")),
        associatedRule: nil, locations: [SARIFLocation(nil, in: creative)])
    ] + warnings
  }
}
