import Foundation
import Testing

extension ServerTier {
  /// `galley conformance` unchanged, with a faulty suite, and with a faulty container.
  @Suite(.timeLimit(.minutes(4))) struct ConformanceTests {
    /// Output of `--json`, as far as these tests read it.
    private struct Document: Decodable {
      struct Assertion: Decodable {
        let creative: String
        let assertion: String
        let passed: Bool
        let message: String?
      }
      let passed: Int
      let failed: Int
      let assertions: [Assertion]

      /// Failed assertions by creative.
      var failures: [String: [String]] {
        Dictionary(grouping: assertions.filter { !$0.passed }, by: \.creative).mapValues { $0.map(\.assertion) }
      }
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path()

    private let program: Program

    init() throws { program = try Program() }

    private func conformance(_ arguments: String) async throws -> (document: Document, code: Int32) {
      let outcome = try await program.shell("exec \"$GALLEY\" conformance --json \(arguments)")
      return (try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8)), outcome.code)
    }

    @Test(arguments: ["--isolation session", "--isolation process", "--clock virtual"])
    func isGreen(option: String) async throws {
      let suite = Self.root + "/Creatives/conformance"
      let (document, code) = try await conformance("--suite '\(suite)' \(option)")
      #expect(document.failures == [:])
      #expect(document.passed >= 600)
      #expect(document.failed == 0)
      #expect(code == 0)
    }

    /// Writes a page of the suite with this script.
    private func creative(_ name: String, _ script: String) throws {
      try program.file(
        "suite/\(name).html",
        """
        <!doctype html><meta name="galley.section" content="3"><meta name="galley.rule" content="\(name)">
        <meta name="galley.plan" content="2"><script>\(script)</script>
        """)
    }

    @Test func tellsEachWayOfNotHolding() async throws {
      let phone = Self.root + "/Creatives/conformance/devices/phone.json"
      try program.file("suite/devices/phone.json", String(contentsOfFile: phone, encoding: .utf8))
      try creative("right", "console.log('1..2\\nok 1 - one\\nok 2 - two')")
      try creative("wrong", "console.log('1..2\\nok 1 - one\\nnot ok 2 - two\\n# expected 2, found 1')")
      try creative("silent", "")
      try creative("short", "console.log('1..2\\nok 1 - one')")
      try creative("stopped", "console.log('1..2\\nok 1 - one\\nBail out! no mraid')")
      try creative("loops", "console.log('1..2\\nok 1 - one\\nok 2 - two'); alert(1); while (true) alert(2)")
      try creative("unmoved", "console.log('1..2\\nok 1 - one\\nok 2 - two')")
      try program.file("suite/unmoved.scenario.yaml", "- expect: {state: expanded}\n")
      let (document, code) = try await conformance("--suite suite")
      let host = "the host does what the scenario expects"
      #expect(
        document.failures == [
          "wrong": ["two"], "silent": ["prints its plan"], "short": ["reports every planned assertion"],
          "stopped": ["runs to its end", "reports every planned assertion"], "loops": [host], "unmoved": [host],
        ])
      #expect(document.assertions.first { $0.assertion == "two" && !$0.passed }?.message == "expected 2, found 1")
      #expect(code == 1)
      let table = try await program.shell("exec \"$GALLEY\" conformance --suite suite --filter wrong")
      #expect(table.output.contains("wrong: section 3, wrong\n  failed: two\n          expected 2, found 1\n"))
      #expect(table.output.contains("3  States and calls      1       1       1\n"))
      #expect(table.code == 1)
    }

    @Test(arguments: [
      ("--suite nowhere", "there is no folder nowhere"), ("--suite empty", "names the rule that it tests"),
      ("--suite torn", "galley.plan must be the number of its assertions"),
      ("--suite misplaced", "galley.container is wrong: there is no container 'metta'; did you mean meta?"),
      ("--section 13", "--section must be from 1"),
    ])
    func refusesAWrongCall(arguments: String, says: String) async throws {
      try program.file("empty/ad.html")
      try program.file(
        "torn/ad.html", "<meta name=galley.rule content=r><meta name=galley.section content=1>")
      try program.file(
        "misplaced/ad.html",
        "<meta name=galley.rule content=r><meta name=galley.section content=12><meta name=galley.plan content=1>"
          + "<meta name=galley.container content=metta>")
      let outcome = try await program.shell("exec \"$GALLEY\" conformance \(arguments)")
      #expect(outcome.code == 2)
      #expect(outcome.output == "")
      #expect(outcome.errors.contains(says))
    }

    /// Tries a few of the mutations of `Scripts/mutation-check`; each has to be noticed.
    @Test func noticesABrokenContainer() async throws {
      let outcome = try await program.shell(
        "exec '\(Self.root)/Scripts/mutation-check' --sample --galley \"$GALLEY\"")
      #expect(outcome.output.contains("mutations, none missed\n"), "\(outcome.output)\(outcome.errors)")
      #expect(outcome.code == 0)
    }
  }
}
