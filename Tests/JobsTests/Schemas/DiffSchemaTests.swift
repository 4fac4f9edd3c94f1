import Comparison
import Jobs
import MRAID
import Pixels
import Testing

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
    var picture = PictureVerdict(
      name: "a.png", first: "x/a.png", second: "y/a.png", difference: await difference(), budget: DifferenceBudget())
    picture.written = ["highlight": "out/a.highlight.png"]
    picture.problem = "too large"
    var result = ResultVerdict(name: "ad")
    result.pictures = [picture, PictureVerdict(name: "b.png", verdict: .new, first: nil, second: "y/b.png")]
    let names = ["a", "b", "c", "d"].map { Event(seq: 0, t: 0, source: .host, name: $0, detail: ["n": 1]) }
    var changed = names[3]
    changed.detail = ["m": nil]
    result.events = EventComparison(
      names, [names[1], names[0], Event(seq: 2, t: 1, source: .ad, name: "new"), changed])
    result.record = [.init(member: "outcome", first: "completed", second: "failed")]
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
    let difference = result?["pictures"]?[0]?["difference"]
    let findings = try #require(result?["events"]?["findings"]?.array)
    let parts: [String: [JSONValue?]] = [
      "result": [result], "picture": [result?["pictures"]?[0]], "difference": [difference],
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
