import Conformance
import Foundation
import Jobs
import Testing

@testable import galley

@Suite struct SelftestDocumentTests {
  private static let schema = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Schemas/selftest.schema.json")

  private func object(_ value: Any?) throws -> [String: Any] { try #require(value as? [String: Any]) }

  /// What a schema's object may and what it must have.
  private func members(_ schema: [String: Any]) throws -> (allowed: Set<String>, required: Set<String>) {
    let required = try #require(schema["required"] as? [String])
    #expect(schema["additionalProperties"] as? Bool == false)
    return (Set(try object(schema["properties"]).keys), Set(required))
  }

  @Test func hasWhatItsSchemaSays() throws {
    let rows = [
      AssertionRow(section: 3, rule: "r", creative: "a", assertion: "x", passed: true),
      AssertionRow(section: 3, rule: "r", creative: "a", assertion: "y", passed: false, message: "found 1"),
    ]
    let outcome = Selftest.Outcome(report: ConformanceReport(rows), interrupted: false, wall: .milliseconds(1234))
    let text = try JSONText.of(SelftestDocument(outcome))
    let document = try object(JSONSerialization.jsonObject(with: Data(text.utf8)))
    let schema = try object(JSONSerialization.jsonObject(with: Data(contentsOf: Self.schema)))
    let parts = try object(schema["properties"])
    var shapes = [(schema, [document])]
    for list in ["sections", "assertions"] {
      shapes.append((try object(object(parts[list])["items"]), document[list] as? [[String: Any]] ?? []))
    }
    for (shape, values) in shapes {
      let (allowed, required) = try members(shape)
      #expect(!values.isEmpty)
      for value in values { #expect(required.isSubset(of: value.keys) && Set(value.keys).isSubset(of: allowed)) }
    }
    #expect(document["passed"] as? Int == 1 && document["failed"] as? Int == 1)
    #expect(document["wallMilliseconds"] as? Int == 1234)
  }
}
