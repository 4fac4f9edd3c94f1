import Checks
import Foundation
import Jobs
import Testing

@Suite("The networks' profiles")
struct ProfileTests {
  @Test(
    "can all be read, and each rule names a check, a source and a day", arguments: ProfileCatalogue.standard.profiles)
  func rules(profile: Profile) {
    #expect(!profile.rules.isEmpty)
    for rule in profile.rules {
      #expect(ProfileCatalogue.problem(of: rule) == nil)
      #expect(rule.source.url.hasPrefix("https://"))
      #expect(rule.source.date?.hasPrefix("20") == true)
      #expect(!rule.note.isEmpty)
    }
  }

  @Test("are found by name, all of them by all, and an unknown one with what was probably meant")
  func names() throws {
    let catalogue = ProfileCatalogue.standard
    #expect(try catalogue.named(["unity", "iab", "unity"]).map(\.id) == ["unity", "iab"])
    #expect(try catalogue.named(["all"]).count == catalogue.profiles.count)
    #expect(throws: Fault.request("unknown-profile", "there is no profile 'unitty'; did you mean unity?")) {
      try catalogue.named(["unitty"])
    }
  }

  @Test("that somebody wrote is read in the same form")
  func own() throws {
    let text = """
      {"id": "ours", "title": "Ours", "rules": [{"check": "total-weight", "limit": 90000, "note": "small",
       "source": {"title": "House rules", "url": "https://ours.example/rules", "date": "2026"}}]}
      """
    #expect(try ProfileCatalogue.read(Data(text.utf8), name: "ours.json").rules.first?.limit == 90_000)
  }

  @Test(
    "that can't be meant is refused with a reason",
    arguments: [
      (#"{"id": "x", "title": "X"}"#, "x.json is no profile: rules is missing"),
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
