import Core
import Testing

@testable import MRAID

@Suite struct TwoPartTests {
  private func expanding() throws -> Container {
    var container = try #require(Container(.inline, in: .default))
    #expect(container.call(.expand(url: " part2.html ")).presentations == [.expanded(url: "part2.html")])
    return container
  }

  private func expanded() throws -> Container {
    var container = try expanding()
    container.present()
    container.send(.loaded(.two))
    return container
  }

  @Test func partTwoSeesReadyThenExpandedWhenItLoadsAfterItIsShown() throws {
    var container = try expanding()
    let shown = container.present()
    #expect(shown.names() == ["sizeChange", "stateChange"])
    #expect(shown.updates(.two) == [])
    let effects = container.send(.loaded(.two))
    #expect(effects.events(.two) == [MRAIDEvent("ready"), MRAIDEvent("stateChange", ["expanded"])])
    #expect(effects.updates(.two).first?.properties["state"] == "expanded")
    #expect(effects.updates() == [])
  }

  @Test func partTwoSeesTheSameWhenItLoadsBeforeItIsShown() throws {
    var container = try expanding()
    #expect(container.send(.loaded(.two)) == [])
    let effects = container.present()
    #expect(effects.events(.two) == [MRAIDEvent("ready"), MRAIDEvent("stateChange", ["expanded"])])
  }

  @Test func partTwoHasTheOriginalPlacementAndStartsLoading() throws {
    let container = try expanding()
    let properties = container.session.initialProperties
    #expect(properties["placementType"] == "inline")
    #expect(properties["state"] == "loading")
  }

  @Test func partTwoIsViewableAfterReadyIfTheAdIs() throws {
    var container = try expanding()
    container.present(Container.full)
    let updates = container.send(.loaded(.two)).updates(.two)
    #expect(
      updates.map { $0.events.map(\.name) } == [["ready", "stateChange"], ["exposureChange", "viewableChange"]])
  }

  @Test func bothPartsHearOfChanges() throws {
    var container = try expanded()
    let effects = container.send(.volumeChanged(1))
    #expect(effects.names(.one) == ["audioVolumeChange"])
    #expect(effects.names(.two) == ["audioVolumeChange"])
  }

  @Test(arguments: AdPart.allCases)
  func eitherPartCanCloseAndPartTwoIsGone(_ part: AdPart) throws {
    var container = try expanded()
    #expect(container.call(.close, from: part).presentations == [.default])
    let effects = container.present()
    #expect(effects.events().last == MRAIDEvent("stateChange", ["default"]))
    #expect(effects.updates(.two) == [])
    #expect(container.send(.volumeChanged(1)).updates(.two) == [])
    #expect(container.call(.open(url: "https://a.example"), from: .two).ignored.count == 1)
    #expect(container.send(.loaded(.two)) == [])
  }

  @Test func theHostCanClosePartTwoThatNeverLoads() throws {
    var container = try expanding()
    container.present()
    #expect(container.send(.hostClose).presentations == [.default])
    container.present()
    #expect(container.session.state == .default)
  }

  @Test func aFailedExpandTakesPartTwoAway() throws {
    var container = try expanding()
    container.send(.loaded(.two))
    let effects = container.send(.presentationFailed("404"))
    #expect(effects.errors() == ["expand"])
    #expect(effects.updates(.two) == [])
    #expect(!container.session.isReady(.two))
    #expect(container.session.state == .default)
  }

  @Test func partTwosCallsBeforeItsReadyDoNotWaitForIt() throws {
    var container = try expanding()
    let early = MRAIDCommand.open(url: "https://a.example")
    #expect(container.call(early, from: .two).ignored == [early])
    container.send(.loaded(.two))
    #expect(!container.present().contains(.open("https://a.example", gesture: false)))
  }

  @Test func expandFromPartTwoHasNoEffect() throws {
    var container = try expanded()
    let command = MRAIDCommand.expand(url: "three.html")
    #expect(container.call(command, from: .two).ignored == [command])
  }

  @Test func whatOnePartSetsTheOtherReads() throws {
    var container = try expanded()
    let effects = container.call(.setOrientationProperties(["allowOrientationChange": false]), from: .two)
    #expect(effects.updates(.two) == [])
    #expect(effects.updates().first?.properties["orientationProperties"]?["allowOrientationChange"] == false)
  }

  @Test func whatTheHostHasWrittenOnceItRepeatsAfterThePageSetsIt() throws {
    var container = try expanded()
    container.call(.setOrientationProperties(["allowOrientationChange": false]), from: .two)
    let effects = container.call(.setOrientationProperties(["allowOrientationChange": true]), from: .one)
    #expect(effects.updates(.one).first?.properties["orientationProperties"]?["allowOrientationChange"] == true)
  }

  @Test func errorsGoToWhoeverCalled() throws {
    var container = try expanded()
    let effects = container.call(.resize, from: .two)
    #expect(effects.errors(.two) == ["resize"])
    #expect(effects.updates(.one) == [])
  }

  @Test func itCanExpandAgainWithANewPartTwo() throws {
    var container = try expanded()
    container.call(.close)
    container.present()
    container.call(.expand(url: "part2.html"))
    container.present()
    #expect(container.send(.loaded(.two)).names(.two).first == "ready")
  }

  @Test func partTwoStartsUpThoughAClosePendingFails() throws {
    var container = try expanding()
    container.present()
    container.call(.close)
    #expect(container.send(.loaded(.two)) == [])
    #expect(container.send(.presentationFailed("no")).names(.two).first == "ready")
  }

  @Test func partTwoCanUnload() throws {
    var container = try expanded()
    #expect(container.call(.unload, from: .two) == [.unload])
  }
}
