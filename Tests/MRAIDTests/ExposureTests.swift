import Core
import Testing

@testable import MRAID

@Suite struct ExposureTests {
  static func exposed(_ percentage: Double) -> Exposure {
    Exposure(
      exposedPercentage: percentage, visibleRectangle: Rect(x: 0, y: 0, width: 320, height: percentage / 2))
  }

  private func ready() throws -> Container { try #require(Container(.inline, in: .default)) }

  @Test func theFirstExposureIsToldAtOnce() throws {
    var container = try ready()
    let effects = container.send(.exposureChanged(Self.exposed(50), at: 10))
    #expect(effects.names() == ["exposureChange", "viewableChange"])
    #expect(effects.updates().first?.properties == ["isViewable": true])
  }

  @Test func theSameExposureIsNotToldTwice() throws {
    var container = try ready()
    container.send(.exposureChanged(Self.exposed(50), at: 10))
    #expect(container.send(.exposureChanged(Self.exposed(50), at: 900)) == [])
  }

  @Test func theNextExposureWaitsForTheRestOf200Milliseconds() throws {
    var container = try ready()
    container.send(.exposureChanged(Self.exposed(50), at: 10))
    #expect(container.send(.exposureChanged(Self.exposed(60), at: 60)) == [.scheduleExposure(after: 150)])
    #expect(container.send(.exposureChanged(Self.exposed(70), at: 100)) == [])
    let effects = container.send(.exposureDue(at: 210))
    #expect(effects.events() == [MRAIDEvent("exposureChange", Self.exposed(70).arguments)])
  }

  @Test func anExposureAfter200MillisecondsIsToldAtOnce() throws {
    var container = try ready()
    container.send(.exposureChanged(Self.exposed(50), at: 10))
    #expect(container.send(.exposureChanged(Self.exposed(60), at: 210)).names() == ["exposureChange"])
  }

  @Test func anExposureThatWentBackInTimeIsNotTold() throws {
    var container = try ready()
    container.send(.exposureChanged(Self.exposed(50), at: 10))
    container.send(.exposureChanged(Self.exposed(60), at: 20))
    #expect(container.send(.exposureChanged(Self.exposed(50), at: 30)) == [])
    #expect(container.send(.exposureDue(at: 210)) == [])
  }

  @Test func aTimerThatComesTooEarlyIsSetAgain() throws {
    var container = try ready()
    container.send(.exposureChanged(Self.exposed(50), at: 0))
    container.send(.exposureChanged(Self.exposed(60), at: 100))
    #expect(container.send(.exposureDue(at: 150)) == [.scheduleExposure(after: 50)])
  }

  @Test func aRestBelowATenthOfAMillisecondIsOver() throws {
    // 633.3 - 433.3 is a hair less than 200.
    var container = try ready()
    container.send(.exposureChanged(Self.exposed(50), at: 433.3))
    container.send(.exposureChanged(Self.exposed(60), at: 466.7))
    #expect(container.send(.exposureDue(at: 633.3)).names() == ["exposureChange"])
  }

  @Test func aTimerNobodyNeedsDoesNothing() throws {
    var container = try ready()
    #expect(container.send(.exposureDue(at: 150)) == [])
  }

  @Test func aTransitionTellsItsExposureWithoutWaiting() throws {
    var container = try ready()
    container.send(.exposureChanged(Self.exposed(50), at: 0))
    container.send(.exposureChanged(Self.exposed(60), at: 10))
    container.call(.expand(url: nil))
    #expect(container.present(Self.exposed(100), at: 20).names() == ["sizeChange", "exposureChange", "stateChange"])
    #expect(container.send(.exposureDue(at: 200)) == [])
    #expect(container.send(.exposureChanged(Self.exposed(90), at: 210)) == [.scheduleExposure(after: 10)])
  }

  @Test func aTimerDuringATransitionWaitsForItsEnd() throws {
    var container = try ready()
    container.send(.exposureChanged(Self.exposed(50), at: 0))
    container.send(.exposureChanged(Self.exposed(60), at: 10))
    container.call(.expand(url: nil))
    #expect(container.send(.exposureDue(at: 200)) == [])
    let effects = container.send(.presentationFailed("no"))
    #expect(effects.events().last == MRAIDEvent("exposureChange", Self.exposed(60).arguments))
  }

  @Test func afterATransitionOfUnknownTimeTheNextWaitsInFull() throws {
    var container = try ready()
    container.call(.expand(url: nil))
    container.present(Self.exposed(100))
    #expect(container.send(.exposureChanged(Self.exposed(90), at: 500)) == [.scheduleExposure(after: 200)])
    #expect(container.send(.exposureDue(at: 700)).names() == ["exposureChange"])
  }

  @Test func viewabilityFollowsThePercentage() throws {
    var container = try ready()
    container.send(.exposureChanged(Self.exposed(1), at: 0))
    #expect(container.session.isViewable)
    let effects = container.send(.exposureChanged(.none, at: 300))
    #expect(effects.events().last == MRAIDEvent("viewableChange", [false]))
    #expect(effects.events().first == MRAIDEvent("exposureChange", [0, nil, nil]))
    #expect(!container.session.isViewable)
  }

  @Test func occlusionsAreHandedOver() throws {
    var container = try ready()
    let exposure = Exposure(
      exposedPercentage: 50, visibleRectangle: Rect(x: 0, y: 0, width: 320, height: 50),
      occlusionRectangles: [Rect(x: 0, y: 0, width: 160, height: 50)])
    let event = container.send(.exposureChanged(exposure, at: 0)).events().first
    #expect(event?.arguments.last == [["x": 0, "y": 0, "width": 160, "height": 50]])
  }

  @Test func aScrollTellsThePlaceAtOnceAndTheExposureInTime() throws {
    var container = try ready()
    container.send(.exposureChanged(Self.exposed(50), at: 0))
    let scrolled = Container.geometry(.inline, at: Container.slot.offset(x: 0, y: -10))
    let effects = container.send(.geometryChanged(scrolled, Self.exposed(60), at: 50))
    #expect(effects.names() == [])
    #expect(effects.updates().count == 1)
    #expect(effects.last == .scheduleExposure(after: 150))
  }

  @Test(arguments: [Double.nan, -.infinity, .infinity, -5])
  func impossibleTimesDoNoHarm(_ time: Double) throws {
    var container = try ready()
    container.send(.exposureChanged(Self.exposed(50), at: time))
    container.send(.exposureChanged(Self.exposed(60), at: time))
    container.send(.exposureDue(at: time))
    container.send(.exposureDue(at: 1000))
    container.send(.exposureDue(at: 2000))
    #expect(container.session.screen.exposure == Self.exposed(60))
  }

  @Test func addingAListenerTellsThePresentExposure() throws {
    var container = try ready()
    container.send(.exposureChanged(Self.exposed(50), at: 0))
    let effects = container.call(.addEventListener("exposureChange"))
    #expect(effects.events() == [MRAIDEvent("exposureChange", Self.exposed(50).arguments)])
  }

  @Test(arguments: [("ready", 0), ("viewableChange", 0), ("stateChange", 0), ("sizeChange", 0), ("error", 0)])
  func otherListenersGetNoAnswer(_ event: String, _ count: Int) throws {
    var container = try ready()
    #expect(container.call(.addEventListener(event)).count == count)
  }

  static let volumes: [(Double?, JSONValue)] = [(0, 0), (37.5, 37.5), (nil, .null), (150, 100), (-1, 0), (.nan, .null)]

  @Test(arguments: volumes)
  func volumeIsBetween0And100OrUnknown(_ volume: Double?, _ told: JSONValue) throws {
    var container = try ready()
    container.send(.volumeChanged(50))
    let effects = container.send(.volumeChanged(volume))
    #expect(effects.events() == [MRAIDEvent("audioVolumeChange", [told])])
    #expect(container.send(.volumeChanged(volume)) == [])
    #expect(container.call(.addEventListener("audioVolumeChange")).events() == effects.events())
  }
}
