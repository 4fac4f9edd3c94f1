import Application
import ArgumentParser
import Checks
import Comparison
import Core
import Device
import Foundation
import MRAID
import RenderModel
import Testing
import Workers

@testable import Terminal
@testable import galley

@Suite struct OutputTests {
  private let plain = Palette(isTerminal: false, environment: [:])

  @Test func alignsRowsAndPutsFaultsBelow() {
    let rows = [
      ResultRow(name: "expand", record: .fake(states: [.default, .expanded, .default])),
      ResultRow(name: "a", record: .fake(.failed, .creative("index-missing", "folder has no index.html"))),
    ]
    let table = ResultTable(palette: plain, rows: rows)
    #expect(
      rows.map(table.text).joined() == """
        expand  completed  default → expanded → default  0 screenshots   412 ms
        a       failed     –                             0 screenshots   412 ms
          error: creative: folder has no index.html [index-missing]

        """)
  }

  @Test(arguments: [(0, "0 ms"), (412.4, "412 ms"), (9999, "9999 ms"), (12_340, "12.3 s")])
  func writesTimes(milliseconds: Double, expected: String) {
    #expect(ResultRow.time(milliseconds: milliseconds) == expected)
  }

  @Test func keepsACreativesTextFromSteeringTheTerminal() {
    let row = ResultRow(name: "a\u{1B}[2J", record: .fake(.failed, .creative("x", "one\ntwo\u{9B}")))
    #expect(row.name == "a [2J")
    #expect(row.fault == "error: creative: one two  [x]")
  }

  @Test func coloursOnlyForTerminalsThatWantIt() {
    let terminal = ["TERM": "xterm"]
    #expect(Palette(isTerminal: true, environment: terminal).text("ok", for: .completed) == "\u{1B}[32mok\u{1B}[0m")
    #expect(plain.text("ok", for: .completed) == "ok")
    #expect(!Palette(isTerminal: true, environment: ["TERM": "xterm", "NO_COLOR": "1"]).isEnabled)
    #expect(Palette(isTerminal: true, environment: ["TERM": "xterm", "NO_COLOR": ""]).isEnabled)
    #expect(!Palette(isTerminal: true, environment: ["TERM": "dumb"]).isEnabled)
    #expect(!Palette(isTerminal: false, environment: terminal).isEnabled)
  }

  @Test func redrawsALineForEachRunningCreative() {
    var live = LiveLines(names: ["one", "two"], total: 2)
    _ = live.handleProgress(.started(job: 0, attempt: 1))
    let first = live.redraw(width: 80)
    #expect(first == "  one  starting\n0 of 2 done\n")
    let changes = [
      live.handleProgress(.progress(job: 0, phase: "load")), live.handleProgress(.progress(job: 0, phase: "load")),
    ]
    #expect(changes == [true, false])
    let narrow = live.redraw(width: 8)
    #expect(narrow == "\u{1B}[2A\r\u{1B}[J  one  …\n0 of 2 …\n")
    _ = live.handleProgress(.finished(job: 0, record: .fake()))
    let last = live.redraw(width: 80)
    #expect(last == "\u{1B}[2A\r\u{1B}[J1 of 2 done\n")
    let erased = [live.erase(), live.erase()]
    #expect(erased == ["\u{1B}[1A\r\u{1B}[J", ""])
  }

  @Test func listsDevicesInColumns() {
    let device = Device(
      name: "iphone-15", screen: Size(width: 393, height: 852), scale: 3, safeArea: Insets(top: 59, bottom: 34),
      touch: true, userAgent: "", platform: "")
    let desktop = Device(
      name: "desktop", screen: Size(width: 1440, height: 900), scale: 1.5, touch: false, userAgent: "", platform: "")
    #expect(
      DeviceTable(devices: [device, desktop]).text == """
        NAME       SCREEN    SCALE  SAFE AREA  TOUCH
        iphone-15  393x852   3      59 0 34 0  yes
        desktop    1440x900  1.5    –          no

        """)
  }
}

/// Creatives' texts in every output: any of them is printed as one line of text.
@Suite struct HostileOutputTests {
  private static let text = HostileText.sample
  /// Form of the output, as an option selects it.
  enum Form: String, CaseIterable { case plain, quiet, json }

  private func options(_ form: Form) throws -> OutputOptions {
    try OutputOptions.parse(form == .plain ? [] : ["--\(form.rawValue)"])
  }

  private static var record: RenderRecord {
    var record = RenderRecord.fake(.failed, .creative("x", "y"))
    (record.message, record.code, record.creative.path) = (text, text, text)
    record.warnings = [text]
    return record
  }

  /// Expects harmless output, which in JSON still contains the original text.
  private func expectHarmless(_ output: String, _ form: Form = .plain, _ source: SourceLocation = #_sourceLocation)
    throws
  {
    #expect(HostileText.harm(in: output) == nil, sourceLocation: source)
    guard form == .json else { return }
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(output.utf8))
    #expect(Self.strings(in: document).contains { $0.contains(Self.text) }, sourceLocation: source)
  }

  private static func strings(in value: JSONValue) -> [String] {
    switch value {
    case .string(let text): [text]
    case .array(let values): values.flatMap(strings)
    case .object(let members): members.keys.sorted() + members.values.flatMap(strings)
    default: []
    }
  }

  @Test func theSampleIsHarmfulByItself() {
    #expect(HostileText.harm(in: Self.text) != nil)
    for part in Self.text.split(whereSeparator: \.isNewline).prefix(5) {
      #expect(HostileText.harm(in: String(part)) != nil)
    }
  }

  @Test(arguments: Form.allCases) func ofRenders(form: Form) throws {
    let item = BatchPlan.Item(name: Self.text, work: .refused(Self.record), hasFolder: false)
    var plan = BatchPlan(out: Self.text, items: [item, item])
    plan.withOwnScenario = [Self.text]
    let result = BatchResult(plan: plan, finished: [:], interrupted: false, wall: .zero)
    var errors = ""
    let output = try HostileText.captured { console in
      errors = try HostileText.captured { errors in
        var reporter = BatchReporter(plan: plan, output: try options(form), console: console, errors: errors)
        reporter.begin()
        try reporter.end(result)
      }
    }
    try expectHarmless(output, form)
    try expectHarmless(errors)
    var live = LiveLines(names: [Self.text], total: 1)
    _ = live.handleProgress(.started(job: 0, attempt: 1))
    _ = live.handleProgress(.progress(job: 0, phase: Self.text))
    let line = live.redraw(width: 10_000)
    try expectHarmless(line)
  }

  @Test(arguments: Form.allCases) func ofChecks(form: Form) throws {
    let place = Finding.Place(file: Self.text, line: 1, column: 1)
    let finding = Finding(
      check: Self.text, severity: .error, message: Self.text, profiles: [Self.text], place: place, measure: nil,
      event: nil, screenshot: nil, key: Self.text)
    let creative = CreativeReport(
      name: Self.text, folder: "ad", record: Self.record, status: .failed, findings: [finding],
      suppressed: [CreativeReport.Suppressed(finding: finding, reason: Self.text, expires: Self.text)],
      brokenChecks: [CreativeReport.BrokenCheck(check: Self.text, message: Self.text)])
    var unseen = creative
    unseen.findings = []
    let report = CheckReport(
      galley: "1", rules: [], profiles: [CheckReport.ProfileSummary(id: "iab", title: "IAB")],
      creatives: [creative, unseen])
    let output = try HostileText.captured { console in
      try CheckReporter(output: try options(form), console: console, out: Self.text).printMessage(report)
    }
    try expectHarmless(output, form)
  }

  @Test(arguments: Form.allCases) func ofDiffs(form: Form) throws {
    var result = ResultVerdict(name: Self.text)
    result.pictures = [
      ScreenshotVerdict(name: Self.text, verdict: .unreadable, first: Self.text, second: Self.text, problem: Self.text)
    ]
    result.record = [ResultVerdict.RecordChange(member: Self.text, first: Self.text, second: Self.text)]
    result.problems = [Self.text]
    result.events = EventComparison([], [Self.event])
    let report = DiffReport(first: Self.text, second: Self.text, results: [result, result], pictures: Self.text)
    let output = try HostileText.captured { console in
      try DiffReporter(output: try options(form), console: console).printMessage(report)
    }
    try expectHarmless(output, form)
  }

  @Test(arguments: Form.allCases) func ofContainers(form: Form) throws {
    var comparison = ResultVerdict(name: Self.text)
    comparison.pictures = [ScreenshotVerdict(name: Self.text, verdict: .missing, first: Self.text, second: nil)]
    comparison.problems = [Self.text]
    comparison.events = EventComparison([], [Self.event])
    let verdicts = [
      ContainerVerdict(
        name: Self.text,
        runs: [.init(container: Self.text, record: Self.record, folder: Self.text, comparison: comparison)]),
      ContainerVerdict(name: Self.text, refusal: Self.record),
    ]
    let output = try HostileText.captured { console in
      let reporter = ContainerReporter(output: try options(form), out: Self.text, console: console)
      try reporter.printMessage(verdicts, status: .pass)
    }
    try expectHarmless(output, form)
  }

  @Test(arguments: Form.allCases) func ofBaselines(form: Form) throws {
    let outcomes = [
      BaselineOutcome(name: Self.text, failure: Self.record),
      BaselineOutcome(name: Self.text, problem: .request("x", Self.text)),
    ]
    let output = try HostileText.captured { console in
      let reporter = BaselineReporter(output: try options(form), command: "verify", console: console)
      try reporter.printMessage(outcomes, out: Self.text, status: .pass)
    }
    try expectHarmless(output, form)
    let list = BaselineStoreDocument(command: "prune", removed: [Self.text])
    let listed = try HostileText.captured { console in
      let reporter = BaselineReporter(output: try options(form), command: "prune", console: console)
      try reporter.printMessage(list, lines: [Self.text])
    }
    try expectHarmless(listed, form)
  }

  @Test func ofTheConformanceRun() throws {
    let rows = [
      AssertionRow(
        section: 1, rule: Self.text, creative: Self.text, assertion: Self.text, passed: false, message: Self.text)
    ]
    let table = ConformanceTable(ConformanceReport(rows))
    try expectHarmless(try HostileText.captured { $0.write(table.failures) })
  }

  @Test func ofFaultsWherever() throws {
    let fault = Fault.creative("x", Self.text)
    try expectHarmless(fault.message)
    #expect(!fault.message.contains("\n"))
  }

  /// Writes texts that their caller didn't make printable.
  @Test func ofAnythingThatIsWritten() throws {
    try expectHarmless(try HostileText.captured { $0.write(Self.text + "\n") })
    let commands = "::error title=a::b\n"
    #expect(try HostileText.captured { try $0.printMessage(commands: commands) } == commands)
  }

  private static var event: Event {
    Event(seq: 0, t: 1, source: .creative, name: text, detail: ["text": .string(text)])
  }
}

/// Hostile text of a creative, and the effects that it mustn't have on an output.
enum HostileText {
  /// Line breaks of every kind, commands of build servers, terminal sequences, changes of direction, and length.
  static let sample =
    "::error::owned\n::stop-commands::t\r\n  ::add-mask::x\u{2028}##vso[task.setvariable variable=A]b\u{85}"
    + "##teamcity[buildStop]\u{B}\u{1B}[2J\u{1B}]0;title\u{7}\u{9B}31m\u{7F}\u{0}\u{202E}dessap\u{2066}\u{FEFF}\u{E0041}"
    + String(repeating: "x", count: 5_000)

  /// Returns the harm in an output; nil for one that is only text.
  static func harm(in output: String) -> String? {
    for line in output.split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
      if let scalar = line.unicodeScalars.first(where: { $0.isUnprintable }) { return "\(scalar.debugDescription)" }
      if text.hasPrefix("::") { return "a command of GitHub: \(text.prefix(60))" }
      if text.firstMatch(of: /##[A-Za-z]*\[/) != nil { return "a service message: \(text.prefix(60))" }
      if line.unicodeScalars.count > 10_000 { return "a line of \(line.unicodeScalars.count)" }
    }
    return nil
  }

  /// Returns the text written to a console during `work`.
  static func captured(_ work: (Console) throws -> Void) throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "console-\(UUID().uuidString)").path()
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    defer {
      close(descriptor)
      unlink(path)
    }
    try work(Console(descriptor: descriptor))
    return try String(contentsOfFile: path, encoding: .utf8)
  }
}
