import Jobs
import Testing

@Suite("A file that is no scenario is refused")
struct DocumentTests {
  @Test("empty files", arguments: ["", "\n\n", "# only a comment\n", "---\n", "~", "null"])
  func empty(text: String) throws {
    #expect(try refusal(text) == "scenario.yaml:1: the scenario is empty")
  }

  @Test(
    "other shapes",
    arguments: [
      ("[]", "1: the scenario has no steps"), ("close", "1: a scenario is a list of steps, or a mapping with steps"),
      ("42", "1: a scenario is a list of steps, or a mapping with steps"),
      ("tap: a", "1: unknown key \"tap\" in a scenario"),
    ])
  func shapes(text: String, message: String) throws {
    #expect(try refusal(text) == "scenario.yaml:\(message)")
  }

  @Test(
    "YAML that can't be read, with the line",
    arguments: [
      ("- tap: \"a", 1), ("- close\n- tap: [a\n- close", 3), ("- close\n- tap: [a\n\n\n", 2),
      ("- close\n\t- tap: a", 2), ("- a\n- *b", 2),
      ("- close\n- tap: @a", 2), ("- close\n---\n- close", 2), ("- close\n- tap: a\n   wait: 3", 3), ("- a: b: c", 1),
      ("- close\n- tap: \"\u{1}\"", 2),
    ])
  func syntax(text: String, line: Int) throws {
    let message = try refusal(text)
    #expect(message.hasPrefix("scenario.yaml:\(line): not YAML: "), "\(message)")
    #expect(!message.contains("\n"))
  }

  @Test(
    "keys that stand twice",
    arguments: [
      ("- close\n- {tap: a, tap: b}", "2: tap stands twice in one mapping"),
      ("- wait:\n    state: hidden\n    'state': default", "2: state stands twice in one mapping"),
      ("steps: []\nsteps: []", "1: steps stands twice in one mapping"),
      ("- expect: {evaluate: {a: {b: 1, b: 2}}}", "1: b stands twice in one mapping"),
    ])
  func duplicates(text: String, message: String) throws {
    #expect(try refusal(text) == "scenario.yaml:\(message)")
  }

  @Test("500 steps are allowed, 501 aren't")
  func manySteps() throws {
    let step = "- close\n"
    #expect(try actions(String(repeating: step, count: 500)).count == 500)
    let message = try refusal(String(repeating: step, count: 501))
    #expect(message == "scenario.yaml:501: 501 steps are too many; the most is 500")
  }

  @Test("a file of more than 256 KiB is refused")
  func largeFile() throws {
    let comment = "#" + String(repeating: "x", count: 256 * 1024)
    #expect(try refusal("- close\n\(comment)") == "scenario.yaml:1: the scenario is larger than 256 KiB")
  }

  @Test("aliases that would unfold to billions of values are refused at once")
  func billionLaughs() throws {
    var text = "- expect: {evaluate: {a: &a0 [lol, lol]}}\n"
    for level in 1...40 { text += "- x: &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    #expect(try refusal(text) == "scenario.yaml:2: the alias *a0 isn't supported; write the value out")
  }

  @Test("aliases as keys are refused too")
  func aliasKeys() throws {
    #expect(try refusal("- &k [a]\n- {*k : b}") == "scenario.yaml:2: the alias *k isn't supported; write the value out")
  }

  @Test("stars and ampersands in scripts and selectors are no aliases")
  func stars() throws {
    let text = "- tap: \"ul > *\"\n- evaluate: \"a & b; c *d; e && f\"\n- tap: \"*\""
    #expect(try actions(text).count == 3)
  }

  @Test("nesting as deep as the file is long ends in a refusal")
  func deepNesting() throws {
    #expect(try refusal(String(repeating: "[", count: 200_000)).contains("not YAML"))
    #expect(try refusal(String(repeating: "- ", count: 100_000)).contains("not YAML"))
  }

  @Test("values nested more than 32 levels are refused")
  func deepValues() throws {
    func text(_ levels: Int) -> String {
      let open = String(repeating: "[", count: levels)
      return "- expect: {evaluate: {x: \(open)1\(String(repeating: "]", count: levels))}}"
    }
    #expect(try actions(text(31)).count == 1)
    #expect(try refusal(text(32)) == "scenario.yaml:1: the value is nested more than 32 levels deep")
  }

  @Test("a byte order mark, CRLF and no newline at the end are fine")
  func lineEnds() throws {
    let scenario = try ScenarioParser.parse("\u{FEFF}- close\r\n- tap: a\r\n- background", source: "s")
    #expect(scenario.steps.map(\.line) == [1, 2, 3])
    #expect(try refusal("- close\r\n- tapp: a\r\n").hasPrefix("scenario.yaml:2:"))
  }

  @Test("every beginning of a scenario is read or refused, never worse")
  func truncations() {
    let text =
      "placement: banner\nsize: 320x50\nsteps:\n  - wait: {event: ready, count: 2}\n  - expect:\n      evaluate: {a: \"b\"}\n"
    for length in 0...text.count {
      do {
        _ = try ScenarioParser.parse(String(text.prefix(length)), source: "s")
      } catch {
        #expect(error.code == "scenario-invalid")
        #expect(error.message.hasPrefix("s:"))
      }
    }
  }

  @Test("a scenario survives encoding")
  func typed() throws {
    let scenario = try ScenarioParser.parse("- volume: null\n- tap: {x: 1, y: 2}", source: "s")
    #expect(try roundTrip(scenario) == scenario)
  }
}
