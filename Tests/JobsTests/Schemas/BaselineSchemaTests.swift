import Baselines
import Foundation
import Jobs
import MRAID
import Stage
import Testing

@Suite("baseline.schema.json, verification.schema.json, baselines.schema.json")
struct BaselineSchemaTests {
  private let device = Device(
    name: "phone", screen: Size(width: 390, height: 844), scale: 3, touch: true, userAgent: "UA", platform: "iPhone")
  private let hash = String(repeating: "0a", count: 32)

  private func problems(_ value: some Encodable, _ schema: String) throws -> [String] {
    try SchemaFile(schema).problems(of: JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value)))
  }

  private var picture: BaselineManifest.Picture { .init(name: "001-default", sha256: hash, drawn: hash, isFlaky: true) }

  @Test(arguments: ["baseline.schema.json", "verification.schema.json", "baselines.schema.json"])
  func theSchemaUsesOnlyWhatIsChecked(_ name: String) throws {
    #expect(try SchemaFile(name).unknownKeywords().isEmpty)
    #expect(try SchemaFile(name).schemas().allSatisfy { $0["additionalProperties"] != nil || $0["properties"] == nil })
  }

  @Test func manifestsAreValid() throws {
    let manifest = BaselineManifest(
      source: "ads/banner", fingerprint: hash, states: [.default, .expanded], pictures: [picture],
      events: .init(sha256: hash, count: 3, isFlaky: true))
    #expect(try problems(manifest, "baseline.schema.json") == [])
  }

  @Test(arguments: [true, false]) func verificationsAreValid(isFull: Bool) throws {
    let fingerprint = Fingerprint(
      webkit: "2.50", gl: isFull ? "llvmpipe" : nil, device: device, clock: .real,
      fonts: [.init(file: "A.ttf", sha256: hash)], fontSettings: hash)
    var part = Candidate.Part(
      Judgement(name: "001-default", verdict: .changed, render: 0), file: isFull ? "a.png" : nil,
      sha256: isFull ? hash : nil, kept: isFull ? picture : nil)
    if isFull { (part.differing, part.written, part.replaces) = (3, ["blink": "b.png"], "002-default") }
    let candidate = Candidate(
      key: BaselineKey(creative: "ads/banner", variant: "phone"), store: "/store", source: "ads/banner",
      verdict: .changed, renders: 2, against: isFull ? hash : nil, differences: isFull ? ["WebKit"] : [],
      fingerprint: fingerprint, states: [.default], parts: [part], findings: isFull ? ["lost"] : [])
    #expect(try problems(candidate, "verification.schema.json") == [])
  }
}
