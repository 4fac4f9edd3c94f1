import Jobs
import MRAID
import Stage
import Testing

@Suite("result.schema.json")
struct ResultSchemaTests {
  private let schema: SchemaFile

  init() throws { schema = try SchemaFile("result.schema.json") }

  @Test("accepts the fullest and the barest record", arguments: [Samples.full, Samples.bare])
  func accepts(record: RenderRecord) throws {
    #expect(try schema.problems(of: Samples.json(record)) == [])
  }

  @Test("accepts every outcome and blame")
  func outcomes() throws {
    for outcome in RenderRecord.Outcome.allCases {
      for blame in Fault.Blame.allCases {
        var record = Samples.bare
        record.outcome = outcome
        record.fault = blame
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
    for key in ["placement", "container", "engine", "message", "fault", "code"] { #expect(members[key] == nil) }
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
