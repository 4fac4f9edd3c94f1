import AdExperience
import MRAID
import Testing

/// An MRAID banner from its load on: what its page, the stack and the ad view see, in one order.
@Suite struct BannerTests {
  @Test func loadsAndDisplays() {
    let rig = HTMLRig.shown(.banner)
    let loading = ["stateChange default", "ready", "adLoaded"]
    #expect(rig.journal.lines == loading + ["slot creative", "adDidDisplay", "exposureChange", "viewableChange true"])
    #expect(rig.host.states == [.default])
  }

  @Test(arguments: [false, true]) func expandsAndCollapses(onASlowScreen isSlow: Bool) {
    let rig = HTMLRig.shown(.banner)
    rig.screen.isSlow = isSlow
    let expanding = rig.journal.during {
      rig.call(.expand(url: nil))
      rig.screen.finish()
    }
    #expect(expanding == ["push [\"expanded\"]", "adDidExpand", "sizeChange", "stateChange expanded"])
    let closing = rig.hostClose() + rig.journal.during { rig.screen.finish() }
    #expect(closing == ["pop []", "adDidCollapse", "sizeChange", "stateChange default"])
    #expect(rig.host.transitions.map(\.cause) == ["ready", "expand", "hostClose"])
  }

  @Test func expandedStateTellsTheOrientationAskedFor() {
    let rig = HTMLRig.shown(.banner)
    rig.call(.setOrientationProperties(["forceOrientation": "landscape", "allowOrientationChange": false]))
    rig.call(.expand(url: nil))
    #expect(rig.screen.modals.last?.properties.interstitialLayout == .landscape)
    #expect(rig.screen.orientation == .landscape)
    rig.call(.close)
    #expect(rig.screen.orientation == .portrait)
    #expect(!rig.screen.orientationLocked)
  }

  @Test func lockAskedForWhileExpandedReachesThePage() {
    let rig = HTMLRig.shown(.banner)
    rig.call(.expand(url: nil))
    rig.call(.setOrientationProperties(["allowOrientationChange": false]))
    rig.host.runScheduled()
    #expect(rig.host.updates.last?.properties["appOrientation"]?["locked"] == true)
  }

  @Test(arguments: [false, true]) func resizesToItsFrame(onASlowScreen isSlow: Bool) {
    let rig = HTMLRig.shown(.banner)
    rig.screen.isSlow = isSlow
    let told = rig.journal.during {
      rig.resize()
      rig.screen.finish()
    }
    #expect(told == ["push [\"resized\"]", "sizeChange", "stateChange resized"])
    #expect(rig.screen.modals.last?.properties.contentFrame == Rect(x: 35, y: 300, width: 320, height: 250))
  }

  @Test func resizingAgainReplacesTheStateAndTellsIt() {
    let rig = HTMLRig.shown(.banner)
    rig.resize()
    let told = rig.journal.during { rig.resize(height: 300) }
    #expect(told == ["reset [\"resized\"]", "sizeChange", "stateChange resized"])
    #expect(rig.host.states == [.default, .resized, .resized])
  }

  @Test func resizingToTheSameIsATransitionToo() {
    let rig = HTMLRig.shown(.banner)
    rig.resize()
    rig.resize()
    rig.resize()
    #expect(rig.host.states == [.default, .resized, .resized, .resized])
  }

  @Test func expandedAfterResizedReturnsToDefaultInOnePop() {
    let rig = HTMLRig.shown(.banner)
    rig.resize()
    let expanding = rig.journal.during { rig.call(.expand(url: nil)) }
    #expect(expanding.prefix(2) == ["reset [\"expanded\"]", "adDidExpand"])
    let closing = rig.journal.during { rig.call(.close) }
    #expect(closing == ["pop []", "adDidCollapse", "sizeChange", "stateChange default"])
    #expect(rig.host.states == [.default, .resized, .expanded, .default])
  }

  @Test func closeInDefaultDoesNothingButARemark() {
    let rig = HTMLRig.shown(.banner)
    let told = rig.journal.during { rig.call(.close) }
    #expect(told == ["ignored close"])
    #expect(rig.screen.slotView == .creative)
  }

  @Test func commandsOfOneTurnAreCarriedOutInOrder() {
    let rig = HTMLRig.shown(.banner)
    rig.screen.isSlow = true
    rig.call(.expand(url: nil))
    rig.call(.close)
    rig.resize()
    rig.screen.finish()
    #expect(rig.host.states == [.default, .expanded, .default, .resized])
    #expect(rig.kinds == ["resized"])
  }

  @Test func backgroundTakesItsExposure() {
    let rig = HTMLRig.shown(.banner)
    rig.host.runScheduled()
    rig.screen.isForeground = false
    rig.manager.pause()
    rig.host.runScheduled()
    let isViewableBehind = rig.creative.session.isViewable
    #expect(!isViewableBehind)
    rig.screen.isForeground = true
    rig.manager.resume()
    rig.host.runScheduled()
    let isViewableAgain = rig.creative.session.isViewable
    #expect(isViewableAgain)
  }

  @Test func expandingBeforeItIsShownLeavesTheSlotForLater() {
    let rig = HTMLRig(.banner)
    rig.load()
    rig.call(.expand(url: nil))
    rig.manager.show()
    #expect(rig.kinds == ["expanded"])
    #expect(rig.screen.slotView == .creative)
    #expect(rig.journal.count("adDidDisplay") == 1)
  }

  @Test func deviceFeaturesAreTheHostsAndNoModalStates() {
    let rig = HTMLRig.shown(.banner)
    let told = rig.journal.during {
      rig.call(.storePicture(uri: "otter.png"))
      rig.call(.createCalendarEvent(["description": "Otter day"]))
      rig.call(.useCustomClose(true))
    }
    #expect(told == ["storePicture", "createCalendarEvent", "useCustomClose"])
  }
}
