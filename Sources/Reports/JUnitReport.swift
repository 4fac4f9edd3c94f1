internal import Checks
package import Core
internal import FoundationEssentials
internal import RenderModel
internal import XMLCoder

/// JUnit XML: a suite for each creative with its checks as test cases, and one for each build with its networks.
package enum JUnitReport {
  /// Returns the whole document, with UTF-8 as its declared encoding.
  package static func text(_ source: ReportSource) throws(Fault) -> String {
    let creatives = source.report.creatives.map { creative in
      let cases = TestCases(creative: creative, report: source.report).cases
      return JUnitSuite(
        creative: creative, cases: cases.map { JUnitCase($0, source: source) }, policy: source.report.policy)
    }
    let builds = PlayableCases(source.report).suites.map { suite in
      JUnitSuite(
        build: suite.build, cases: suite.cases.map { JUnitCase($0, source: source) }, policy: source.report.policy)
    }
    let suites = creatives + builds
    let encoder = XMLEncoder()
    encoder.outputFormatting = .prettyPrinted
    encoder.prettyPrintIndentation = .spaces(2)
    do {
      let data = try encoder.encode(
        JUnitDocument(suites), withRootKey: "testsuites", header: XMLHeader(version: 1, encoding: "UTF-8"))
      return ReportText.markup(String(decoding: data, as: UTF8.self)) + "\n"
    } catch {
      throw .engine("report-failed", "a report can't be written as XML: \(error)")
    }
  }
}

/// Root element `testsuites`: totals and the suites.
struct JUnitDocument: Encodable, DynamicNodeEncoding {
  let name = "galley"
  private let tests: Int
  private let failures: Int
  private let errors: Int
  private let skipped: Int
  private let time: String
  private let testsuite: [JUnitSuite]

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

/// Suite of one creative, or of the networks' answers to one build.
struct JUnitSuite: Encodable, DynamicNodeEncoding {
  private let name: String
  let tests: Int
  let failures: Int
  let errors: Int
  let skipped: Int
  private let time: String
  private let properties: JUnitProperties
  private let testcase: [JUnitCase]
  let milliseconds: Double

  enum CodingKeys: CodingKey { case name, tests, failures, errors, skipped, time, properties, testcase }

  init(creative: CreativeReport, cases: [JUnitCase], policy: PolicySource? = nil) {
    self.init(
      creative.name, cases, JUnitProperties(creative, policy), milliseconds: creative.record.timings["total"] ?? 0)
  }

  /// Makes the suite of a build; its renders have their durations in their own suites.
  init(build: String, cases: [JUnitCase], policy: PolicySource?) {
    self.init(
      "\(build): networks", cases, JUnitProperties([("build", build), ("policy", policy?.text ?? "")]), milliseconds: 0)
  }

  private init(_ name: String, _ cases: [JUnitCase], _ properties: JUnitProperties, milliseconds: Double) {
    self.name = ReportText.line(name)
    tests = cases.count
    failures = cases.count { $0.failure != nil }
    errors = cases.count { $0.error != nil }
    skipped = cases.count { $0.skipped != nil }
    self.milliseconds = milliseconds
    time = Self.seconds(milliseconds)
    self.properties = properties
    testcase = cases
  }

  static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding {
    ["properties", "testcase"].contains(key.stringValue) ? .element : .attribute
  }

  /// Returns seconds with milliseconds as decimals, independent of the locale.
  static func seconds(_ milliseconds: Double) -> String { "\((milliseconds).rounded() / 1000)" }
}

/// Properties of a suite: for a creative its path, the conditions of its render, and its verdict.
struct JUnitProperties: Encodable {
  struct Property: Encodable, DynamicNodeEncoding {
    let name: String
    let value: String
    static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding { .attribute }
  }

  let property: [Property]

  init(_ creative: CreativeReport, _ policy: PolicySource?) {
    self.init([
      ("creative", creative.creativePath), ("device", creative.record.device.name),
      ("container", creative.record.container ?? "spec"), ("verdict", creative.status.rawValue),
      ("sha256", creative.record.creative.sha256 ?? ""),
      ("policy", policy?.text ?? ""),
    ])
  }

  /// Makes properties of the facts that aren't empty.
  init(_ facts: [(name: String, value: String)]) {
    property = facts.filter { !$0.value.isEmpty }.map { Property(name: $0.name, value: ReportText.line($0.value)) }
  }
}

/// Test case of one check on a creative, or of one network.
struct JUnitCase: Encodable, DynamicNodeEncoding {
  /// Element `failure`, `error` or `skipped`: a line as attribute, the rest as text.
  struct Reason: Encodable, DynamicNodeEncoding {
    let message: String
    let type: String
    let text: String

    enum CodingKeys: String, CodingKey {
      case message, type
      case text = ""
    }

    static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding {
      key.stringValue.isEmpty ? .element : .attribute
    }
  }

  private let name: String
  private let classname: String
  private let file: String
  private let time: String
  let failure: Reason?
  let error: Reason?
  let skipped: Reason?
  private let output: String?

  enum CodingKeys: String, CodingKey {
    case name, classname, file, time, failure, error, skipped
    case output = "system-out"
  }

  init(_ test: TestCase, source: ReportSource) {
    name = ReportText.line(test.id == "render" ? test.title : "\(test.id): \(test.title)")
    classname = ReportText.line(test.subject)
    file = ReportText.line(test.creative.creativePath)
    time = JUnitSuite.seconds(test.duration)
    let details = test.details.map { ReportText.shown($0) }
    let reason = test.message.map {
      Reason(message: ReportText.line($0), type: test.id, text: details.joined(separator: "\n"))
    }
    failure = test.outcome == .failed ? reason : nil
    error = test.outcome == .broken ? reason : nil
    skipped = test.outcome == .skipped ? reason : nil
    // What fails says it in its own element; what passes with a remark has no other place for it.
    let issues = test.outcome == .passed ? details.map(Self.withoutAttachments) : []
    let attachments = test.pictures.map { "[[ATTACHMENT|\(source.link(to: $0, in: test.creative))]]" }
    let lines = issues + attachments
    output = lines.isEmpty ? nil : "\n" + lines.joined(separator: "\n") + "\n"
  }

  static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding {
    ["failure", "error", "skipped", "system-out"].contains(key.stringValue) ? .element : .attribute
  }

  /// Returns the text without attachment markers, so that a creative's text can't make CI attach files.
  private static func withoutAttachments(_ text: String) -> String {
    text.replacing("[[ATTACHMENT|", with: "[ [ATTACHMENT|")
  }
}
