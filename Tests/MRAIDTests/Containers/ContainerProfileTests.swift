import Foundation
import Testing

@testable import MRAID

@Suite struct ContainerProfileTests {
  private func read(_ difference: String, name: String = "mine") throws -> ContainerProfile {
    let text = "{\"name\": \"\(name)\", \"title\": \"Mine\", \"differences\": [\(difference)]}"
    return try JSONDecoder().decode(ContainerProfile.self, from: Data(text.utf8))
  }

  private func difference(
    _ what: String, _ value: String, source: String = "https://example.com/a", date: String = "2026-02-28"
  ) -> String {
    """
    {"what": "\(what)", "value": \(value), "note": "n", "source": "\(source)", "date": "\(date)"}
    """
  }

  @Test func readsWhatItWrites() throws {
    let profile = try read(difference("version", "\"2.0\"") + "," + difference("silentEvents", "[\"exposureChange\"]"))
    #expect(profile.behaviour.version == "2.0")
    #expect(profile.behaviour.silentEvents == ["exposureChange"])
    #expect(try JSONDecoder().decode(ContainerProfile.self, from: JSONEncoder().encode(profile)) == profile)
  }

  @Test(arguments: ContainerDifference.What.allCases)
  func refusesAValueOfAnotherKind(what: ContainerDifference.What) {
    #expect(throws: ContainerProblem.self) { try read(difference(what.rawValue, "-17")) }
    #expect(throws: ContainerProblem.self) { try read(difference(what.rawValue, "null")) }
  }

  @Test func refusesWhatItDoesNotKnow() {
    #expect(throws: DecodingError.self) { try read(difference("colour", "true")) }
  }

  @Test(arguments: ["", "hearsay", "example.com"])
  func refusesADifferenceWithoutSource(source: String) {
    #expect(throws: ContainerProblem.source(.version)) { try read(difference("version", "\"2.0\"", source: source)) }
  }

  @Test(arguments: ["", "2026", "2026-1-1", "2026-13-01", "2026-02-32", "yesterday"])
  func refusesADifferenceWithoutDay(date: String) {
    #expect(throws: ContainerProblem.date(.version, date)) { try read(difference("version", "\"2.0\"", date: date)) }
  }

  @Test(arguments: ["", "..", "a/b", "My SDK", "-a"])
  func refusesNamesThatAreNoFolder(name: String) {
    #expect(throws: ContainerProblem.name(name)) { try read("", name: name) }
  }
}
