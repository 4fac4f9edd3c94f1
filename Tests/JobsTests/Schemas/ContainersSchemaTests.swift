import Comparison
import Jobs
import MRAID
import Testing

@Suite("containers.schema.json")
struct ContainersSchemaTests {
  private let schema: SchemaFile

  init() throws { schema = try SchemaFile("containers.schema.json") }

  private var fullest: ContainersDocument {
    var comparison = ResultVerdict(name: "")
    comparison.pictures = [PictureVerdict(name: "a.png", verdict: .missing, first: "spec/a.png", second: nil)]
    comparison.events = EventComparison([Event(seq: 0, t: 0, source: .mraid, name: "exposureChange", detail: [:])], [])
    let showings = [
      ContainerVerdict.Showing(container: "spec", record: Samples.bare, folder: "ad/spec", comparison: nil),
      ContainerVerdict.Showing(container: "gma", record: Samples.full, folder: "ad/gma", comparison: comparison),
    ]
    return ContainersDocument(
      [ContainerVerdict(name: "ad", showings: showings), ContainerVerdict(name: "b", refusal: Samples.full)],
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
      case .object(var creative) = creatives[0], var showings = creative["showings"]?.array,
      case .object(var showing) = showings[1]
    else { return #expect(Bool(false), "the document has another shape") }
    showing["comparison"] = ["name": "", "verdict": "alike", "pictures": []]
    showings[1] = .object(showing)
    creative["showings"] = .array(showings)
    creatives[0] = .object(creative)
    document["creatives"] = .array(creatives)
    json = .object(document)
    #expect(schema.problems(of: json) == ["$.creatives[0].showings[1].comparison.verdict: isn't in the enum"])
  }

  @Test("names no member that the fullest document lacks")
  func staleMembers() throws {
    let json = try Samples.json(fullest)
    let creatives = try #require(json["creatives"]?.array)
    let parts: [String: [JSONValue]] = [
      "creative": creatives, "showing": creatives.flatMap { $0["showings"]?.array ?? [] },
    ]
    for (name, values) in parts {
      let named = try #require(schema.root["$defs"]?[name]?["properties"]?.object)
      let found = values.reduce(into: Set<String>()) { $0.formUnion(($1.object ?? [:]).keys) }
      #expect(Set(named.keys) == found, "\(name)")
    }
  }
}
