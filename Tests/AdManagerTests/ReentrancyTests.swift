import Device
import MRAID
import Testing

@testable import AdManager

/// Ad view that calls the manager from within the manager's calls.
@Suite struct ReentrancyTests {
  @Test func nextAdIsShownFromWithinTheCloseOfTheLast() {
    let rig = ManagerRig(.interstitial)
    let first = rig.start("first")
    let second = rig.supply("second")[0]
    rig.adView.answers["adDidClose"] = {
      rig.manager.load()
      rig.manager.show()
    }
    first.close()
    rig.manager.creativeInterstitialDidClose(first)
    rig.manager.creativeDidComplete(first)
    #expect(rig.manager.currentCreative === second)
    #expect(rig.screen.modals.map(\.displayView.rawValue) == ["second"])
    #expect(rig.journal.count("adDidComplete") == 1)
  }

  @Test func unloadedBannerIsReplacedFromWithinItsClose() {
    let rig = ManagerRig(.banner)
    let first = rig.start("first")
    let second = rig.supply("second")[0]
    rig.adView.answers["adDidClose"] = {
      rig.manager.load()
      rig.manager.show()
    }
    rig.manager.creativeDidUnload(first)
    #expect(rig.manager.currentCreative === second)
    #expect(rig.screen.slotView == second.displayView)
    #expect(rig.journal.count("requestAd") == 0)
  }

  @Test func slotMayLoadFromWithinItsRequest() {
    let rig = ManagerRig(.banner)
    let first = rig.start("first")
    let second = rig.supply("second")[0]
    rig.screen.onRequest = { rig.manager.load() }
    rig.adView.answers["adLoaded"] = { rig.manager.show() }
    rig.manager.creativeDidUnload(first)
    #expect(rig.screen.slotView == second.displayView)
  }

  @Test func failedLoadMayBeRetriedFromWithin() {
    let rig = ManagerRig(.banner)
    rig.adView.answers["failedToLoad"] = {
      rig.supply("ad")
      rig.manager.load()
    }
    rig.manager.load()
    #expect(rig.journal.lines == ["failedToLoad", "adLoaded"])
  }

  @Test func interstitialClosedFromWithinItsDisplay() {
    let rig = HTMLRig(.interstitial)
    rig.adView.answers["adDidDisplay"] = { _ = rig.manager.closeTopmost() }
    rig.load()
    rig.manager.show()
    #expect(rig.state == .hidden)
    #expect(rig.kinds == [])
    #expect(rig.journal.lines.filter { $0.hasPrefix("adDid") } == ["adDidDisplay", "adDidClose", "adDidComplete"])
  }

  @Test func adCollapsedFromWithinItsExpansion() {
    let rig = HTMLRig.shown(.banner)
    rig.adView.answers["adDidExpand"] = { _ = rig.manager.closeTopmost() }
    let told = rig.journal.during { rig.call(.expand(url: nil)) }
    #expect(rig.host.states == [.default, .expanded, .default])
    #expect(rig.kinds == [])
    let states = ["adDidExpand", "stateChange expanded", "adDidCollapse", "stateChange default"]
    #expect(told.filter(states.contains) == states)
  }

  @Test func adClosedFromWithinItsClickKeepsTheBrowser() {
    let rig = HTMLRig.shown(.banner)
    rig.call(.expand(url: nil))
    rig.adView.answers["adWasClicked"] = { rig.creative.hostClosed() }
    rig.call(.open(url: "https://shop.example"))
    #expect(rig.kinds == ["browser"])
    #expect(rig.state == .default)
    #expect(rig.journal.count("adDidCollapse") == 1)
  }

  @Test func browserAndAdClosedFromWithinOneAnother() {
    let rig = ManagerRig(.banner)
    let creative = rig.start()
    creative.show(.expanded)
    creative.openBrowser()
    rig.adView.answers["adClickthroughDidClose"] = { _ = rig.manager.closeTopmost() }
    _ = rig.hostClose()
    #expect(rig.journal.lines.last == "ad hostClosed")
    #expect(rig.journal.count("adClickthroughDidClose") == 1)
  }

  @Test func listenerThatClosesAnAdSeesItsEventsInOrder() {
    let rig = HTMLRig.shown(.banner)
    rig.screen.onFirst = { rig.call(.close) }
    let told = rig.journal.during { rig.call(.expand(url: nil)) }
    #expect(rig.host.states == [.default, .expanded, .default])
    #expect(told.filter { $0.hasPrefix("stateChange") } == ["stateChange expanded", "stateChange default"])
  }

  @Test func whatADeliveryLeadsToFollowsAllThatWasToBeDone() {
    let rig = HTMLRig.shown(.banner)
    rig.host.onDelivery = { rig.creative.volumeDidChange(30) }
    let told = rig.journal.during { rig.call(.expand(url: "javascript:x")) }
    #expect(told == ["error", "audioVolumeChange"])
    rig.host.onDelivery = { rig.call(.open(url: "tel:1")) }
    let after = rig.journal.during { rig.call(.expand(url: nil)) }
    #expect(after.suffix(3) == ["open", "adWasClicked", "adDidLeaveApp"])
    #expect(after.firstIndex(of: "stateChange expanded") ?? .max < after.count - 3)
  }

  @Test func callFromWithinADeliveryWaitsForTheRestOfIt() {
    let rig = HTMLRig(.banner)
    rig.manager.load()
    rig.host.onDelivery = { rig.call(.addEventListener("audioVolumeChange")) }
    let told = rig.journal.during { rig.creative.pageDidLoad(.one) }
    #expect(told.last == "audioVolumeChange")
    #expect(told.prefix(2) == ["stateChange default", "ready"])
  }
}
