import Foundation
import Jobs
import MRAID
import Testing

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
