import Core
import Testing

/// Documents of another schema, refused by one line; the reader itself refuses those without a version.
@Suite struct DocumentVersionTests {
  @Test(arguments: [#"{"schema": 1, "name": "x"}"#, #"{"schema": 3}"#])
  func `another schema is refused`(_ text: String) {
    let fault = #expect(throws: Fault.self) {
      try DocumentVersion.check(Array(text.utf8), of: "out/report.json", remedy: "run galley check anew")
    }
    #expect(fault?.origin == .request && fault?.code == "schema-unsupported")
    #expect(fault?.message.hasPrefix("out/report.json is of schema ") == true)
    #expect(fault?.message.hasSuffix(", and this Galley reads schema 2: run galley check anew") == true)
  }

  @Test(arguments: [#"{"schema": 2}"#, "{}", "[]", "", #"{"schema": "1"}"#])
  func `the rest goes on`(_ text: String) throws {
    try DocumentVersion.check(Array(text.utf8), of: "x", remedy: "y")
  }
}
