import Core
import Testing

@testable import Terminal

/// Names retired in schema 2, which are refused by a line with the new ones.
@Suite struct RetiredNamesTests {
  @Test(arguments: [
    ("diff a b --pictures-only", "option-renamed", "--screenshots-only"),
    ("serve --patience=5", "option-renamed", "--queue-timeout"),
    ("render x --watch 3", "option-renamed", "--measure-time"),
  ]) func `an old name is refused`(_ words: String, _ code: String, _ name: String) {
    let fault = #expect(throws: Fault.self) { try RetiredNames.check(words.split(separator: " ").map(String.init)) }
    #expect(fault?.origin == .request && fault?.code == code)
    #expect(fault?.message.contains(name) == true)
  }

  @Test(arguments: ["", "conformance --json", "render selftest", "render -- --watch"]) func `the rest goes on`(
    _ words: String
  ) throws {
    try RetiredNames.check(words.split(separator: " ").map(String.init))
  }
}
