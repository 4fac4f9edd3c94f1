import Core
import Foundation
import Testing

@testable import MRAID

@Suite struct ContainerCatalogueTests {
  static let others = ContainerCatalogue.standard.containers.dropFirst().map { $0 }

  @Test func theStandardComesFirstAndHasNoDifference() {
    #expect(ContainerCatalogue.standard.containers.first == .spec)
    #expect(ContainerProfile.spec.behaviour == ContainerBehaviour())
  }

  @Test(arguments: ["spec", "mraid-2", "gma", "prebid-ios", "prebid-android", "unity", "applovin", "ironsource"])
  func hasTheContainer(name: String) {
    #expect(ContainerCatalogue.standard.container(named: name)?.name == name)
  }

  @Test func namesAreUnique() {
    let names = ContainerCatalogue.standard.containers.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test(arguments: others)
  func everyDifferenceSaysWhatWhereAndWhen(container: ContainerProfile) {
    #expect(!container.differences.isEmpty)
    for difference in container.differences {
      #expect(!difference.note.isEmpty && difference.note.count <= 120, "\(difference.what)")
      #expect(difference.source.hasPrefix("https://"), "\(difference.what)")
      #expect(URL(string: difference.source)?.host != nil, "\(difference.what)")
    }
  }

  @Test(arguments: others)
  func everyDifferenceChangesTheBehaviour(container: ContainerProfile) throws {
    for difference in container.differences {
      let alone = try ContainerProfile(name: "one", title: "One", differences: [difference])
      #expect(alone.behaviour != .spec, "\(container.name): \(difference.what)")
    }
  }

  @Test(arguments: others)
  func featuresMethodsAndEventsAreThoseOfMRAID(container: ContainerProfile) {
    let behaviour = container.behaviour
    let events = [
      "ready", "error", "stateChange", "viewableChange", "sizeChange", "exposureChange", "audioVolumeChange",
    ]
    #expect(Set(behaviour.supports.keys).isSubset(of: HostProfile.features))
    #expect(behaviour.silentEvents.isSubset(of: events))
    #expect(Set(behaviour.eventOrder).isSubset(of: events))
    #expect(behaviour.bridge.missingMethods.isSubset(of: Self.methods))
    #expect(behaviour.bridge.refusedMethods.isSubset(of: Self.methods))
    #expect(behaviour.bridge.missingMethods.isDisjoint(with: behaviour.bridge.refusedMethods))
  }

  @Test func whatAContainerAlwaysOrNeverSupportsWinsOverTheDevice() throws {
    let behaviour = try ContainerBehaviourTests.behaviour(.supports, ["sms": true, "calendar": false])
    #expect(behaviour.supported(of: ["calendar", "tel"]) == ["sms", "tel"])
    #expect(ContainerBehaviour.spec.supported(of: ["tel"]) == ["tel"])
  }

  private static let methods: Set<String> = [
    "addEventListener", "removeEventListener", "close", "expand", "getExpandProperties", "setExpandProperties",
    "getPlacementType", "getState", "getVersion", "isViewable", "open", "useCustomClose", "createCalendarEvent",
    "getCurrentPosition", "getDefaultPosition", "getMaxSize", "getScreenSize", "getResizeProperties",
    "setResizeProperties", "resize", "getOrientationProperties", "setOrientationProperties", "playVideo",
    "storePicture", "supports", "unload", "getLocation", "getCurrentAppOrientation", "initVpaid",
  ]
}

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
