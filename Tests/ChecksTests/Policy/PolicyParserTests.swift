import Checks
import Jobs
import Testing

@Suite("A policy")
struct PolicyParserTests {
  private func fault(_ text: String) -> String {
    do {
      _ = try PolicyParser.parse(text, source: "galley.yaml")
      return "no fault"
    } catch {
      return error.code == "policy-invalid" ? error.message : error.code
    }
  }

  @Test("says which networks, devices, weights and what is overlooked until when")
  func whole() throws {
    let policy = try PolicyParser.parse(
      """
      profile: [iab, google-ads]
      profile-files: ours.json
      devices: [iphone-15, pixel-8]
      fail-on: warning
      severity:
        console-error: error
        dead-tap: off
      suppress:
        - check: own-close
          creative: summer-*
          key: own-close:div#x
          reason: agreed with the client
          expires: 2026-12-31
      """, source: "galley.yaml")
    #expect(policy.profiles == ["iab", "google-ads"])
    #expect(policy.profileFiles == ["ours.json"])
    #expect(policy.devices == ["iphone-15", "pixel-8"])
    #expect(policy.failsOn == .warning)
    #expect(policy.weights == ["console-error": .severity(.error), "dead-tap": .off])
    #expect(
      policy.suppressions == [
        .init(
          check: "own-close", creative: "summer-*", key: "own-close:div#x", reason: "agreed with the client",
          expires: "2026-12-31")
      ])
  }

  @Test(
    "that can't be meant is refused with its line",
    arguments: [
      ("severity: {dead-tab: note}", "galley.yaml:1: there is no check 'dead-tab'; did you mean dead-tap?"),
      ("severity: {dead-tap: grave}", "galley.yaml:1: the severity of dead-tap is one of note, warning, error, off"),
      ("profile: iab\nsuppres: []", "galley.yaml:2: unknown key \"suppres\" in a policy; did you mean suppress?"),
      ("suppress:\n  - check: dead-tap", "galley.yaml:2: the suppression of dead-tap needs a reason"),
      (
        "suppress:\n  - {check: dead-tap, reason: so}",
        "galley.yaml:2: the suppression of dead-tap needs a day it expires"
      ),
      (
        "suppress:\n  - {check: dead-tap, reason: so, expires: soon}", "galley.yaml:2: expires is a day like 2026-12-31"
      ),
      (
        "suppress:\n  - {check: nothing-like-it, reason: so, expires: 2026-12-31}",
        "galley.yaml:2: there is no check 'nothing-like-it'"
      ),
      ("", "galley.yaml:1: the policy is empty"),
    ])
  func refused(text: String, message: String) {
    #expect(fault(text) == message)
  }
}
