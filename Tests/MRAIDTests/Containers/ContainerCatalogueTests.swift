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
    #expect(Set(behaviour.supports.keys).isSubset(of: MRAIDSession.features))
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
