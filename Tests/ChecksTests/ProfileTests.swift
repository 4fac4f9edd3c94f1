import Checks
import Core
import Foundation
import Testing

@Suite("The networks' profiles")
struct ProfileTests {
  @Test(
    "can all be read, and each rule names a check, a source and a day", arguments: ProfileCatalogue.standard.profiles)
  func rules(profile: Profile) {
    #expect(!profile.rules.isEmpty)
    for rule in profile.rules {
      #expect(ProfileCatalogue.problem(of: rule) == nil)
      // What engines do is Galley's own finding, with its evidence.
      #expect(rule.source.url.hasPrefix(profile.id == "chromium" ? "urn:galley:" : "https://"))
      #expect(rule.source.date?.hasPrefix("20") == true)
      #expect(!rule.note.isEmpty)
    }
  }

  @Test("are found by name, all of them by all, and an unknown one with what was probably meant")
  func names() throws {
    let catalogue = ProfileCatalogue.standard
    #expect(try catalogue.named(["unity", "iab", "unity"]).map(\.id) == ["unity", "iab"])
    #expect(try catalogue.named(["all"]).count == catalogue.profiles.count)
    #expect(throws: Fault.request("profile-unknown", "there is no profile 'unitty'; did you mean unity?")) {
      try catalogue.named(["unitty"])
    }
  }

  @Test("that somebody wrote is read in the same form")
  func own() throws {
    let text = """
      {"id": "ours", "title": "Ours", "container": "meta", "rules": [{"check": "total-weight", "limit": 90000, "note": "small",
       "source": {"title": "House rules", "url": "https://ours.example/rules", "date": "2026"}}]}
      """
    let profile = try ProfileCatalogue.read(Data(text.utf8), name: "ours.json")
    #expect(profile.rules.first?.limit == 90_000)
    #expect(profile.container == "meta")
  }

  @Test(
    "that can't be meant is refused with a reason",
    arguments: [
      (#"{"id": "x", "title": "X"}"#, "x.json isn't a profile: rules is missing"),
      (#"{"id": "X Y", "title": "X", "rules": []}"#, "x.json: id must be lower case with hyphens"),
      (
        #"{"id": "x", "title": "X", "rules": [{"check": "total-weigt", "limit": 1, "note": "", "source": {"title": "", "url": "a:"}}]}"#,
        "x.json: there is no check 'total-weigt'; did you mean total-weight?"
      ),
      (
        #"{"id": "x", "title": "X", "rules": [{"check": "total-weight", "note": "", "source": {"title": "", "url": "a:"}}]}"#,
        "x.json: the rule for total-weight has neither limit nor sizes"
      ),
    ])
  func refused(text: String, message: String) {
    #expect(throws: Fault.request("profile-invalid", message)) {
      try ProfileCatalogue.read(Data(text.utf8), name: "x.json")
    }
  }
}

@Suite("Numbers for people")
struct UnitTests {
  @Test(
    "are rounded so that what is over a limit reads so",
    arguments: [
      (Checks.Unit.bytes, 999.0, "999 bytes"), (.bytes, 150_000, "150 kB"), (.bytes, 150_001, "150.1 kB"),
      (.bytes, 5_000_000, "5 MB"), (.bytes, 999_990, "1 MB"), (.requests, 1, "1 request"),
      (.requests, 12, "12 requests"),
      (.flashes, 1, "1 flash"), (.seconds, 30.04, "30.1 s"),
    ])
  func text(unit: Checks.Unit, value: Double, text: String) {
    #expect(unit.text(value) == text)
  }
}

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
      strict: true
      severity:
        console-error: error
        dead-tap: off
      suppress:
        - check: custom-close-button
          creative: summer-*
          key: custom-close-button:div#x
          reason: agreed with the client
          expires: 2026-12-31
      """, source: "galley.yaml")
    #expect(policy.profiles == ["iab", "google-ads"])
    #expect(policy.profileFiles == ["ours.json"])
    #expect(policy.devices == ["iphone-15", "pixel-8"])
    #expect(policy.failsOn == .warning)
    #expect(policy.isStrict)
    #expect(policy.weights == ["console-error": .severity(.error), "dead-tap": .off])
    #expect(
      policy.suppressions == [
        .init(
          check: "custom-close-button", creative: "summer-*", key: "custom-close-button:div#x",
          reason: "agreed with the client",
          expires: "2026-12-31")
      ])
  }

  @Test(
    "that can't be meant is refused with its line",
    arguments: [
      ("severity: {dead-tab: note}", "galley.yaml:1: there is no check 'dead-tab'; did you mean dead-tap?"),
      ("severity: {dead-tap: grave}", "galley.yaml:1: the severity of dead-tap must be note, warning, error or off"),
      ("strict: often", "galley.yaml:1: strict must be true or false, found text"),
      ("profile: iab\nsuppres: []", "galley.yaml:2: unknown key \"suppres\" in a policy; did you mean suppress?"),
      ("suppress:\n  - check: dead-tap", "galley.yaml:2: the suppression of dead-tap needs a reason"),
      (
        "suppress:\n  - {check: dead-tap, reason: so}",
        "galley.yaml:2: the suppression of dead-tap needs expires, its last day"
      ),
      (
        "suppress:\n  - {check: dead-tap, reason: so, expires: soon}",
        "galley.yaml:2: expires must be a day like 2026-12-31"
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
