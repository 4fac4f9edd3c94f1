import Exploration
import Foundation
import Jobs
import MRAID
import Testing

@Suite("exploration.schema.json")
struct ExplorationSchemaTests {
  private let schema: SchemaFile

  init() throws { schema = try SchemaFile("exploration.schema.json") }

  /// A banner that expands, whose button crashes it, explored with too small a budget: every member is there.
  private static let full: JSONValue = {
    var explorer = Explorer(placement: .banner, scrollDistance: 800, budget: Budget(actions: 7, seconds: 60))
    var waiting = [explorer.start()]
    while !waiting.isEmpty { waiting += explorer.take(result(of: waiting.removeFirst())) }
    var vocabulary = Vocabulary()
    vocabulary.read("mraid.expand()")
    let found = explorer.exploration(placement: Placement(kind: .banner), vocabulary: vocabulary)
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
    let after = seen(Trial.after, isExpanded: isExpanded && trial.act?.kind != .close)
    let away = trial.act?.returning.isEmpty == false ? [seen(Trial.away, isExpanded: false)] : []
    return TrialResult(
      trial: trial, record: record, events: trial.act == nil ? [events[0]] : events,
      observations: trial.act == nil ? [before] : failure ? [before] : [before] + away + [after])
  }

  private static func seen(_ moment: String, isExpanded: Bool) -> Observation {
    let targets = [
      TapTarget(selector: "#open", element: "#open", label: "Open", reasons: ["link"], within: "#ad"),
      TapTarget(selector: nil, element: "#bomb", reasons: ["listener:click"], point: Point(x: 1, y: 2)),
      TapTarget(selector: "#x", element: "#x", reasons: ["control"], reach: .covered, closes: true, coveredBy: "#lid"),
    ]
    return Observation(
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
      "state": all("states"), "way": all("ways"), "oddity": all("oddities"), "coverage": members(json["coverage"]),
      "part": members(json["coverage"]?["calls"]),
      "target": targets.reduce(into: []) { $0.formUnion(members($1)) },
    ]
    for (name, keys) in found {
      let named = try #require(schema.root["$defs"]?[name]?["properties"]?.object)
      #expect(Set(named.keys) == keys, "\(name)")
    }
    #expect(try Set(#require(schema.root["properties"]?.object).keys) == members(json))
  }

  @Test("knows every code of an oddity, and the README explains each")
  func codes() throws {
    let named = try #require(schema.root["$defs"]?["oddity"]?["properties"]?["code"]?["enum"]?.array)
    #expect(Set(named.compactMap(\.string)) == Set(Oddity.Code.allCases.map(\.rawValue)))
    let readme = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../../Schemas/README.md"), encoding: .utf8)
    for code in Oddity.Code.allCases { #expect(readme.contains("| `\(code.rawValue)` |"), "\(code.rawValue)") }
  }
}
