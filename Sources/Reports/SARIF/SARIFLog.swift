internal import Checks
internal import Jobs

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
