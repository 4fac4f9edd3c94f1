internal import Checks
internal import FoundationEssentials
internal import Jobs
internal import XMLCoder

/// The root element, `testsuites`: totals and the suites.
struct JUnitDocument: Encodable, DynamicNodeEncoding {
  let name = "galley"
  let tests: Int
  let failures: Int
  let errors: Int
  let skipped: Int
  let time: String
  let testsuite: [JUnitSuite]

  init(_ suites: [JUnitSuite]) {
    tests = suites.reduce(0) { $0 + $1.tests }
    failures = suites.reduce(0) { $0 + $1.failures }
    errors = suites.reduce(0) { $0 + $1.errors }
    skipped = suites.reduce(0) { $0 + $1.skipped }
    time = JUnitSuite.seconds(suites.reduce(0) { $0 + $1.milliseconds })
    testsuite = suites
  }

  static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding {
    key.stringValue == "testsuite" ? .element : .attribute
  }
}

/// A creative.
struct JUnitSuite: Encodable, DynamicNodeEncoding {
  let name: String
  let tests: Int
  let failures: Int
  let errors: Int
  let skipped: Int
  let time: String
  let properties: JUnitProperties
  let testcase: [JUnitCase]
  let milliseconds: Double

  enum CodingKeys: CodingKey { case name, tests, failures, errors, skipped, time, properties, testcase }

  init(creative: CreativeReport, cases: [JUnitCase]) {
    name = ReportText.line(creative.name)
    tests = cases.count
    failures = cases.count { $0.failure != nil }
    errors = cases.count { $0.error != nil }
    skipped = cases.count { $0.skipped != nil }
    milliseconds = creative.record.timings["total"] ?? 0
    time = Self.seconds(milliseconds)
    properties = JUnitProperties(creative)
    testcase = cases
  }

  static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding {
    ["properties", "testcase"].contains(key.stringValue) ? .element : .attribute
  }

  /// With milliseconds, whatever the locale.
  static func seconds(_ milliseconds: Double) -> String { "\((milliseconds).rounded() / 1000)" }
}

/// What the creative was rendered from and on.
struct JUnitProperties: Encodable {
  struct Property: Encodable, DynamicNodeEncoding {
    let name: String
    let value: String
    static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding { .attribute }
  }

  let property: [Property]

  init(_ creative: CreativeReport) {
    let facts = [
      ("creative", creative.creativePath), ("device", creative.record.device.name),
      ("container", creative.record.container ?? "spec"), ("verdict", creative.status.rawValue),
      ("sha256", creative.record.creative.sha256 ?? ""),
    ]
    property = facts.filter { !$0.1.isEmpty }.map { Property(name: $0.0, value: ReportText.line($0.1)) }
  }
}
