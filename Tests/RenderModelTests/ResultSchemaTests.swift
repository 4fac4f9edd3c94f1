import Core
import Device
import Exploration
import Foundation
import MRAID
import RenderModel
import Testing

@Suite("result.schema.json")
struct ResultSchemaTests {
  private let schema: SchemaFile

  init() throws { schema = try SchemaFile("result.schema.json") }

  @Test("accepts the fullest and the barest record", arguments: [Samples.full, Samples.bare])
  func accepts(record: RenderRecord) throws {
    #expect(try schema.problems(of: Samples.json(record)) == [])
  }

  @Test(
    "states the outcome that follows from a fault",
    arguments: [
      (Fault.creative("web-process-crashed", "x"), RenderRecord.Outcome.crashed),
      (.engine("worker-died", "x"), .crashed),
      (.deadline("deadline-exceeded", "x"), .timedOut),
      (.engine("deadline-exceeded", "x"), .failed),
      (.creative("ad-load-failed", "x"), .failed),
      (.request("render-cancelled", "x"), .failed),
    ])
  func outcome(fault: Fault, outcome: RenderRecord.Outcome) {
    var record = Samples.bare
    record.fail(fault)
    #expect(record.outcome == outcome)
    #expect(record.fault == fault)
  }

  @Test("accepts every outcome and origin")
  func outcomes() throws {
    for outcome in RenderRecord.Outcome.allCases {
      for origin in Fault.Origin.allCases {
        var record = Samples.bare
        record.outcome = outcome
        record.origin = origin
        #expect(try schema.problems(of: Samples.json(record)) == [])
      }
    }
  }

  @Test("accepts every state and banner position")
  func statesAndPositions() throws {
    var record = Samples.full
    record.states = MRAIDState.allCases
    for position in Placement.Position.allCases {
      record.placement?.position = position
      #expect(try schema.problems(of: Samples.json(record)) == [])
    }
    record.placement = .init(kind: .interstitial, width: 390, height: 844, position: nil)
    #expect(try schema.problems(of: Samples.json(record)) == [])
  }

  @Test("names no member that the fullest record lacks")
  func staleMembers() throws {
    let json = try Samples.json(Samples.full)
    for key in try #require(schema.root["properties"]?.object).keys {
      #expect(json[key] != nil, "\(key) is only in the schema")
    }
    let parts: [String: JSONValue?] = [
      "creative": json["creative"], "device": json["device"], "placement": json["placement"], "engine": json["engine"],
      "transition": json["transitions"]?[0], "screenshot": json["screenshots"]?[0],
    ]
    for (name, part) in parts {
      let named = try #require(schema.root["$defs"]?[name]?["properties"]?.object)
      #expect(Set(named.keys) == Set(try #require(part?.object).keys))
    }
  }

  @Test("leaves nil members out rather than writing null")
  func nilMembers() throws {
    let members = try #require(Samples.json(Samples.bare).object)
    for key in ["placement", "container", "engine", "message", "origin", "code"] { #expect(members[key] == nil) }
    #expect(members["creative"]?.object?.keys.sorted() == ["path"])
  }

  @Test("refuses what isn't a record")
  func refuses() throws {
    var members = try #require(Samples.json(Samples.full).object)
    members["verdict"] = "pass"
    members["outcome"] = "fine"
    members["attempts"] = 0
    members["eventCount"] = nil
    members["code"] = "Not Kebab"
    #expect(
      schema.problems(of: .object(members)).sorted() == [
        "$.attempts: is below 1.0", "$.code: doesn't match ^[a-z0-9]+(-[a-z0-9]+)*$", "$.eventCount: is missing",
        "$.outcome: isn't in the enum", "$.verdict: is unknown",
      ])
  }

  @Test("a record survives encoding", arguments: [Samples.full, Samples.bare])
  func survives(record: RenderRecord) throws {
    #expect(try roundTrip(record) == record)
  }
}

@Suite("event.schema.json")
struct EventSchemaTests {
  private let schema: SchemaFile

  init() throws { schema = try SchemaFile("event.schema.json") }

  @Test("accepts an event of every source", arguments: Event.Source.allCases)
  func accepts(source: Event.Source) throws {
    let plain = Event(seq: 0, t: 0, source: source, name: "ready")
    let rich = Event(seq: 7, t: 12.5, source: source, name: "open", detail: ["url": "a", "timing": ["total": 3]])
    #expect(try schema.problems(of: Samples.json(plain)) == [])
    #expect(try schema.problems(of: Samples.json(rich)) == [])
  }

  @Test("names exactly the sources and members there are")
  func exact() throws {
    let sources = schema.root["properties"]?["source"]?["enum"]?.array?.compactMap(\.string)
    #expect(sources == Event.Source.allCases.map(\.rawValue))
    let members = try #require(Samples.json(Event(seq: 0, t: 0, source: .ad, name: "adLoaded")).object)
    #expect(Set(members.keys) == Set(try #require(schema.root["properties"]?.object).keys))
  }

  @Test("refuses what isn't an event")
  func refuses() {
    let value: JSONValue = ["seq": -1, "t": 0, "source": "page", "name": "page/console", "detail": [], "level": 1]
    #expect(
      schema.problems(of: value).sorted() == [
        "$.detail: is no object", "$.level: is unknown", "$.name: doesn't match ^[A-Za-z][A-Za-z0-9]*$",
        "$.seq: is below 0.0",
      ])
  }
}

@Suite("Every schema")
struct SchemaTests {
  @Test(
    "describes each member and shuts out others",
    arguments: ["result.schema.json", "event.schema.json", "diff.schema.json"])
  func documented(name: String) throws {
    let schema = try SchemaFile(name)
    #expect(schema.root["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
    #expect(schema.unknownKeywords() == [])
    for part in schema.schemas() {
      for (key, member) in part["properties"]?.object ?? [:] {
        #expect(member["description"] != nil || member["$ref"] != nil, "\(key) has no description")
      }
      if part["required"] != nil { #expect(part["additionalProperties"] == false) }
    }
  }
}

@Suite("measurements.schema.json")
struct MeasurementsSchemaTests {
  private let schema: SchemaFile

  init() throws { schema = try SchemaFile("measurements.schema.json") }

  private static let frame = Rect(x: 1, y: 2, width: 3, height: 4)
  private static func element(_ kind: String) -> DocumentAudit.Element {
    DocumentAudit.Element(kind: kind, selector: "img#a", text: "a.png", frame: frame)
  }
  private static let document = DocumentAudit(
    language: "en", title: "Ad", isCut: true, unnamed: [element("image")],
    textSizes: [.init(element: element("text"), size: 7.5)], overflow: .init(x: 1, y: 2, scrolls: true),
    clipped: [element("text")], placeholders: [element("link")], drawn: frame,
    closeControls: [.init(element: element("close"), contrast: 4.5)],
    media: [
      MediaElement(
        selector: "video", source: "a.mp4", isPlaying: true, isAudible: true, autoplays: true, loops: true,
        hasControls: true, duration: 4)
    ], animations: AnimationAudit(running: 2, endless: 1, end: 300, loops: 2, names: ["spin on i"]), canvases: 1)
  private static let resource = MeasuredResource(
    url: "creative://ad/a.js", origin: .creative, part: "two", type: "text/javascript", initiator: "script", start: 1,
    end: 2, encoded: 30, decoded: 40, gzipEstimate: 20, failure: "refused", redirects: ["x"],
    requestHeaders: [.init(name: "Accept", value: "*/*")], responseHeaders: [.init(name: "Vary", value: "Origin")])

  private static let full = Measurements(
    clock: .virtual,
    load: LoadBoundary.all(domContentLoaded: 1, windowLoad: 2, complete: 3, dividing: [resource]),
    firstPaint: 2, resources: [resource],
    heavyAd: HeavyAdBudget(
      resources: [resource], samples: [ProcessorSample(t: 1, seconds: 0.5)], activation: 5, end: 9),
    beforeShown: EarlyPlayback(media: 1, animations: 2),
    pages: [
      PageAudit(
        state: .expanded, t: 4, screenshot: "001-default", width: 320, height: 50, document: document,
        surface: SurfaceAudit(isBlank: false, hasBorder: true, whiteEdge: 0.5, blackEdge: 0))
    ],
    images: [ImageMotion(url: "creative://ad/a.gif", frames: 2, plays: 3, loop: 500)],
    motion: MotionMeasure(
      from: 1, until: 30_000, frames: 2, steps: [.init(t: 2, share: 0.1)], endsBlank: true,
      flashes: FlashMeasure(count: 4, mostInOneSecond: 2, worstFrom: 1, area: 9, share: 0.5)),
    late: LateWatch(
      firstEvent: 9, from: 3_100, until: 60_000, sounds: [.init(t: 35_000, selector: "#film")],
      lastChange: 31_000), timesNetwork: true)

  private static let bare = Measurements(
    clock: .real, load: [], resources: [],
    heavyAd: HeavyAdBudget(resources: [], samples: [], activation: nil, end: 0),
    pages: [PageAudit(state: .default, t: 0, width: 1, height: 1)])

  @Test("accepts the fullest and the barest measurements", arguments: [full, bare])
  func accepts(measurements: Measurements) throws {
    #expect(try schema.problems(of: Samples.json(measurements)) == [])
  }

  @Test("names no member that the fullest measurements lack")
  func staleMembers() throws {
    let json = try Samples.json(Self.full)
    let page = json["pages"]?[0]
    let parts: [String: JSONValue?] = [
      "boundary": json["load"]?[0], "weight": json["load"]?[0]?["initial"], "resource": json["resources"]?[0],
      "header": json["resources"]?[0]?["requestHeaders"]?[0], "heavyAd": json["heavyAd"],
      "share": json["heavyAd"]?["network"], "playback": json["beforeShown"], "page": page,
      "document": page?["document"], "surface": page?["surface"], "element": page?["document"]?["unnamed"]?[0],
      "motion": json["motion"], "summary": json["motion"]?["summary"], "late": json["late"],
      "sound": json["late"]?["sounds"]?[0], "image": json["images"]?[0],
    ]
    for (name, part) in parts {
      let named = try #require(schema.root["$defs"]?[name]?["properties"]?.object)
      #expect(Set(named.keys) == Set(try #require(part?.object).keys), "\(name)")
    }
    #expect(Set(try #require(schema.root["properties"]?.object).keys) == Set(try #require(json.object).keys))
  }

  @Test("has no keyword that these tests would overlook")
  func keywords() { #expect(schema.unknownKeywords() == []) }

  @Test("measurements survive encoding", arguments: [full, bare])
  func survives(measurements: Measurements) throws {
    #expect(try roundTrip(measurements) == measurements)
  }
}

@Suite("exploration.schema.json")
struct ExplorationSchemaTests {
  private let schema: SchemaFile

  init() throws { schema = try SchemaFile("exploration.schema.json") }

  /// A banner that expands, whose button crashes it, explored with too small a budget: every member is there.
  private static let full: JSONValue = {
    var crawler = Crawler(
      placement: .banner, screen: Size(width: 390, height: 800), budget: Budget(actions: 7, seconds: 60))
    var waiting = [crawler.start()]
    while !waiting.isEmpty { waiting += crawler.handleResult(result(of: waiting.removeFirst())) }
    var vocabulary = MRAIDUsage()
    vocabulary.read("mraid.expand()")
    let found = crawler.exploration(placement: Placement(kind: .banner), vocabulary: vocabulary)
    let document = ExplorationDocument(found, record: Samples.full, timings: ["wall": 12.5, "renders": 3])
    return (try? JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(document))) ?? .null
  }()

  private static func result(of trial: Trial) -> TrialResult {
    var record = Samples.bare
    record.outcome = .completed
    let isExpanded = trial.from == 2 || trial.act?.target?.element == "#open"
    let failure = trial.act?.target?.element == "#bomb"
    if failure { record.outcome = .crashed }
    let events = [
      Event(seq: 0, t: 0, source: .page, name: "exception", detail: ["message": "boom"]),
      Event(seq: 1, t: 1, source: .creative, name: "expand"),
    ]
    let before = seen(trial.act == nil ? Trial.begin : Trial.before, isExpanded: trial.from == 2)
    var after = seen(Trial.after, isExpanded: isExpanded && trial.act?.kind != .close)
    let move = PlayedGame.Move(action: .tap(.point(Point(x: 1, y: 2))), reason: "something moves here", time: 0.5)
    after.game = PlayedGame(seed: 3, goal: .progress, moves: [move], scenes: 2, seconds: 1.25, steps: [move.action])
    let away = trial.act?.returning.isEmpty == false ? [seen(Trial.away, isExpanded: false)] : []
    return TrialResult(
      trial: trial, record: record, events: trial.act == nil ? [events[0]] : events,
      observations: trial.act == nil ? [before] : failure ? [before] : [before] + away + [after])
  }

  private static func seen(_ moment: String, isExpanded: Bool) -> PageSnapshot {
    let targets = [
      TapTarget(selector: "#open", element: "#open", label: "Open", reasons: ["link"], within: "#ad"),
      TapTarget(selector: nil, element: "#bomb", reasons: ["listener:click"], point: Point(x: 1, y: 2)),
      TapTarget(selector: "#x", element: "#x", reasons: ["control"], reach: .covered, closes: true, coveredBy: "#lid"),
    ]
    return PageSnapshot(
      moment: moment, state: isExpanded ? .expanded : .default, modals: isExpanded ? ["expanded"] : [],
      opened: isExpanded ? "https://a.example/" : nil, document: "creative://ad/index.html",
      close: isExpanded ? Rect(x: 0, y: 0, width: 50, height: 50) : nil, targets: targets, text: "Hello",
      picture: "001-\(moment)", events: 1)
  }

  @Test("accepts what exploring writes")
  func accepts() { #expect(schema.problems(of: Self.full) == []) }

  @Test("uses no keyword that these tests can't check")
  func keywords() { #expect(schema.unknownKeywords() == []) }

  @Test("names no member that a full document lacks")
  func staleMembers() throws {
    func members(_ values: JSONValue?...) -> Set<String> {
      Set(values.flatMap { $0?.object.map { Array($0.keys) } ?? [] })
    }
    let json = Self.full
    func all(_ list: String) -> Set<String> {
      Set((json[list]?.array ?? []).flatMap { $0.object.map { Array($0.keys) } ?? [] })
    }
    let targets = json["states"]?[0]?["targets"]?.array ?? []
    let found: [String: Set<String>] = [
      "state": all("states"), "path": all("paths"), "anomaly": all("anomalies"), "coverage": members(json["coverage"]),
      "part": members(json["coverage"]?["calls"]),
      "target": targets.reduce(into: []) { $0.formUnion(members($1)) },
      "game": members(json["paths"]?[0]?["game"]), "move": members(json["paths"]?[0]?["game"]?["moves"]?[0]),
    ]
    for (name, keys) in found {
      let named = try #require(schema.root["$defs"]?[name]?["properties"]?.object)
      #expect(Set(named.keys) == keys, "\(name)")
    }
    #expect(try Set(#require(schema.root["properties"]?.object).keys) == members(json))
  }

  @Test("knows every code of an anomaly, and the README explains each")
  func codes() throws {
    let named = try #require(schema.root["$defs"]?["anomaly"]?["properties"]?["code"]?["enum"]?.array)
    #expect(Set(named.compactMap(\.string)) == Set(Anomaly.Code.allCases.map(\.rawValue)))
    let readme = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../Schemas/README.md"), encoding: .utf8)
    for code in Anomaly.Code.allCases { #expect(readme.contains("| `\(code.rawValue)` |"), "\(code.rawValue)") }
  }
}
