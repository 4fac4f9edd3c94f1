import Checks
import Comparison
import Core
import Device
import Foundation
import MRAID
import Pixels
import RenderModel
import Testing

@Suite("report.schema.json")
struct ReportSchemaTests {
  private let schema: SchemaFile

  init() throws { schema = try SchemaFile("report.schema.json") }

  private static let finding: Finding = {
    var finding = Finding(
      check: "exception", severity: .error, message: "x is not defined", profiles: ["iab"], key: "exception:x")
    finding.place = Finding.Place(file: "index.html", line: 3, column: 1)
    finding.measure = Finding.Measure(value: 2, limit: 1, unit: "B")
    finding.event = 4
    finding.screenshot = "001-default"
    return finding
  }()

  /// A report in which every member is there.
  private static func full() throws -> JSONValue {
    let judge = CheckRunner(profiles: [], today: "2026-11-21")
    var creative = CreativeReport(
      name: "ad", folder: "ad", record: Samples.full, status: .failed, findings: [finding],
      suppressed: [CreativeReport.Suppressed(finding: finding, reason: "agreed", expires: "2026-12-31")],
      brokenChecks: [CreativeReport.BrokenCheck(check: "dialog", message: "no")], passedChecks: ["popup"],
      notTried: Precondition.plain.map { CreativeReport.NotTried(check: "dead-tap", needs: [$0]) },
      acceptance: [
        CreativeReport.Acceptance(
          profile: "iab", refusedBy: ["exception"],
          notTried: [CreativeReport.NotTried(check: "dead-tap", needs: [.exploration, .container("meta")])])
      ])
    creative.build = "ad"
    creative.acceptance[0].asked = .name
    var report = CheckReport(
      galley: Galley.version, rules: judge.rules, profiles: [CheckReport.ProfileSummary(id: "iab", title: "IAB")],
      creatives: [creative])
    report.failsOn = .error
    report.strict = true
    report.policy = PolicySource(source: .found, path: "ads/galley.yaml", sha256: String(repeating: "0a", count: 32))
    report.part = Shard(number: 1, count: 2).map { ReportPart(shard: $0, positions: [0], total: 3) }
    return try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(report))
  }

  @Test("describes a report with everything in it, and every check of the catalogue")
  func full() throws {
    #expect(schema.problems(of: try Self.full()) == [])
    #expect(schema.unknownKeywords() == [])
  }

  @Test("refuses a member it doesn't name, a status it doesn't know and a finding without a key")
  func refuses() throws {
    guard case .object(var members) = try Self.full() else { return }
    members["extra"] = 1
    #expect(!schema.problems(of: .object(members)).isEmpty)
    let finding: JSONValue = ["check": "a", "severity": "grave", "message": "m", "profiles": []]
    let creative: JSONValue = [
      "name": "a", "folder": "a", "record": [:], "status": "fine", "findings": [finding], "suppressed": [],
      "brokenChecks": [], "passedChecks": [], "acceptance": [],
    ]
    let report: JSONValue = ["schema": 2, "galley": "1", "rules": [], "profiles": [], "creatives": [creative]]
    #expect(schema.problems(of: report).count == 3)
  }
}

@Suite("baseline.schema.json, verification.schema.json, baselines.schema.json")
struct BaselineSchemaTests {
  private let device = Device(
    name: "phone", screen: Size(width: 390, height: 844), scale: 3, touch: true, userAgent: "UA", platform: "iPhone")
  private let hash = String(repeating: "0a", count: 32)

  private func problems(_ value: some Encodable, _ schema: String) throws -> [String] {
    try SchemaFile(schema).problems(of: JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value)))
  }

  private var picture: BaselineManifest.Screenshot {
    .init(name: "001-default", sha256: hash, drawn: hash, isFlaky: true)
  }

  @Test(arguments: ["baseline.schema.json", "verification.schema.json", "baselines.schema.json"])
  func theSchemaUsesOnlyWhatIsChecked(_ name: String) throws {
    #expect(try SchemaFile(name).unknownKeywords().isEmpty)
    #expect(try SchemaFile(name).schemas().allSatisfy { $0["additionalProperties"] != nil || $0["properties"] == nil })
  }

  @Test func manifestsAreValid() throws {
    let manifest = BaselineManifest(
      source: "ads/banner", fingerprint: hash, states: [.default, .expanded], screenshots: [picture],
      events: .init(sha256: hash, count: 3, isFlaky: true), seed: 7, date: 1_772_600_767)
    #expect(try problems(manifest, "baseline.schema.json") == [])
  }

  @Test(arguments: [(0, 1), (1, 0), (8, 0), (9, 1)]) func variantsOfAPictureAreBounded(count: Int, wrong: Int) throws {
    let variant: JSONValue = ["sha256": .string(hash), "drawn": .string(hash)]
    var screenshot = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(picture)).object ?? [:]
    screenshot["variants"] = .array(Array(repeating: variant, count: count))
    let manifest = BaselineManifest(
      source: "ads/banner", fingerprint: hash, states: [.default], screenshots: [picture],
      events: .init(sha256: hash, count: 3))
    var whole = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(manifest)).object ?? [:]
    whole["screenshots"] = [.object(screenshot)]
    #expect(try SchemaFile("baseline.schema.json").problems(of: .object(whole)).count == wrong)
  }

  @Test(arguments: [true, false]) func verificationsAreValid(isFull: Bool) throws {
    let fingerprint = Fingerprint(
      webkit: "2.50", gl: isFull ? "llvmpipe" : nil, device: device, clock: .real,
      fonts: [.init(file: "A.ttf", sha256: hash)], fontSettings: hash)
    var part = Candidate.Part(
      PartVerdict(name: "001-default", verdict: .changed, render: 0), file: isFull ? "a.png" : nil,
      sha256: isFull ? hash : nil, kept: isFull ? picture : nil)
    if isFull { (part.differing, part.written, part.replaces) = (3, ["blink": "b.png"], "002-default") }
    let candidate = Candidate(
      key: BaselineKey(creative: "ads/banner", variant: "phone"), store: "/store",
      directory: isFull ? "/work" : nil, source: "ads/banner",
      verdict: .changed, renders: 2, against: isFull ? hash : nil, differences: isFull ? ["WebKit"] : [],
      fingerprint: fingerprint, states: [.default], parts: [part], findings: isFull ? ["lost"] : [],
      seed: isFull ? .max : nil, date: isFull ? 1_772_600_767 : nil)
    #expect(try problems(candidate, "verification.schema.json") == [])
  }
}

@Suite("diff.schema.json")
struct DiffSchemaTests {
  private let schema: SchemaFile

  init() throws { schema = try SchemaFile("diff.schema.json") }

  /// Two pictures of other sizes that differ in a square that moved and one that is new.
  private func difference() async -> ImageDifference {
    var (first, second) = (Bitmap(width: 60, height: 30, fill: .white), Bitmap(width: 70, height: 30, fill: .white))
    first.fill(PixelRect(x: 2, y: 2, width: 5, height: 5), .black)
    second.fill(PixelRect(x: 3, y: 2, width: 5, height: 5), .black)
    second.fill(PixelRect(x: 40, y: 20, width: 4, height: 4), .black)
    return await ImageComparison.compare(
      Raster(first), Raster(second), options: ComparisonOptions(shift: 1, window: 4))
  }

  private func fullest() async -> DiffDocument {
    var picture = ScreenshotVerdict(
      name: "a.png", first: "x/a.png", second: "y/a.png", difference: await difference(), budget: DifferenceBudget())
    picture.written = ["highlight": "out/a.highlight.png"]
    picture.problem = "too large"
    var result = ResultVerdict(name: "ad")
    result.pictures = [picture, ScreenshotVerdict(name: "b.png", verdict: .new, first: nil, second: "y/b.png")]
    let names = ["a", "b", "c", "d"].map { Event(seq: 0, t: 0, source: .host, name: $0, detail: ["n": 1]) }
    var changed = names[3]
    changed.detail = ["m": nil]
    result.events = EventComparison(
      names, [names[1], names[0], Event(seq: 2, t: 1, source: .ad, name: "new"), changed])
    result.record = [.init(member: "outcome", first: "completed", second: "failed")]
    let files = ["a", "b"].map { letter in
      DeliveredFiles(
        sha256: letter, whole: true, document: "index.html",
        files: [.init(path: "index.html", sha256: letter, addresses: ["https://\(letter).example"])])
    }
    result.files = FileComparison(files[0], files[1])
    result.problems = ["only one side has an event log"]
    return DiffDocument(first: "x", second: "y", results: [result], exitCode: 1)
  }

  @Test("accepts the fullest and the barest document")
  func accepts() async throws {
    #expect(try schema.problems(of: Samples.json(await fullest())) == [])
    let bare = DiffDocument(first: "x", second: "y", results: [], exitCode: 0)
    #expect(try schema.problems(of: Samples.json(bare)) == [])
    let missing = DiffDocument(
      first: "x", second: "y", results: [ResultVerdict(name: "a", onlyOn: .missing)], exitCode: 1)
    #expect(try schema.problems(of: Samples.json(missing)) == [])
  }

  @Test("names no member that the fullest document lacks")
  func staleMembers() async throws {
    let json = try Samples.json(await fullest())
    let result = json["results"]?[0]
    let difference = result?["screenshots"]?[0]?["difference"]
    let findings = try #require(result?["events"]?["findings"]?.array)
    let parts: [String: [JSONValue?]] = [
      "result": [result], "screenshot": [result?["screenshots"]?[0]], "difference": [difference],
      "region": [difference?["regions"]?.array?.first { $0["shift"] != nil }], "events": [result?["events"]],
      "finding": findings, "crossing": findings.map { $0["crossing"] },
      "member": findings.flatMap { $0["members"]?.array ?? [] },
    ]
    for (name, values) in parts {
      let named = try #require(schema.root["$defs"]?[name]?["properties"]?.object)
      let found = values.reduce(into: Set<String>()) { $0.formUnion(($1?.object ?? [:]).keys) }
      #expect(Set(named.keys) == found, "\(name)")
    }
  }
}

@Suite("containers.schema.json")
struct ContainersSchemaTests {
  private let schema: SchemaFile

  init() throws { schema = try SchemaFile("containers.schema.json") }

  private var fullest: ContainersDocument {
    var comparison = ResultVerdict(name: "")
    comparison.pictures = [ScreenshotVerdict(name: "a.png", verdict: .missing, first: "spec/a.png", second: nil)]
    comparison.events = EventComparison([Event(seq: 0, t: 0, source: .mraid, name: "exposureChange", detail: [:])], [])
    let runs = [
      ContainerVerdict.Run(container: "spec", record: Samples.bare, folder: "ad/spec", comparison: nil),
      ContainerVerdict.Run(container: "gma", record: Samples.full, folder: "ad/gma", comparison: comparison),
    ]
    return ContainersDocument(
      [ContainerVerdict(name: "ad", runs: runs), ContainerVerdict(name: "b", refusal: Samples.full)],
      exitCode: 0)
  }

  @Test("accepts the fullest and the barest document")
  func accepts() throws {
    #expect(try schema.problems(of: Samples.json(fullest)) == [])
    #expect(try schema.problems(of: Samples.json(ContainersDocument([], exitCode: 130))) == [])
  }

  @Test("uses keywords that the check knows") func keywords() { #expect(schema.unknownKeywords() == []) }

  @Test("goes into the comparison, whose shape is galley diff's")
  func comparison() throws {
    var json = try Samples.json(fullest)
    guard case .object(var document) = json, var creatives = document["creatives"]?.array,
      case .object(var creative) = creatives[0], var runs = creative["runs"]?.array,
      case .object(var run) = runs[1]
    else { return #expect(Bool(false), "the document has another shape") }
    run["comparison"] = ["name": "", "verdict": "alike", "screenshots": []]
    runs[1] = .object(run)
    creative["runs"] = .array(runs)
    creatives[0] = .object(creative)
    document["creatives"] = .array(creatives)
    json = .object(document)
    #expect(schema.problems(of: json) == ["$.creatives[0].runs[1].comparison.verdict: isn't in the enum"])
  }

  @Test("names no member that the fullest document lacks")
  func staleMembers() throws {
    let json = try Samples.json(fullest)
    let creatives = try #require(json["creatives"]?.array)
    let parts: [String: [JSONValue]] = [
      "creative": creatives, "run": creatives.flatMap { $0["runs"]?.array ?? [] },
    ]
    for (name, values) in parts {
      let named = try #require(schema.root["$defs"]?[name]?["properties"]?.object)
      let found = values.reduce(into: Set<String>()) { $0.formUnion(($1.object ?? [:]).keys) }
      #expect(Set(named.keys) == found, "\(name)")
    }
  }
}
