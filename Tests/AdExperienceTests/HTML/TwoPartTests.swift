import AdExperience
import MRAID
import Testing

/// expand(url): a second page in a view of its own.
@Suite struct TwoPartTests {
  let rig = HTMLRig.shown(.banner)

  private func expand() { rig.call(.expand(url: "part2.html")) }

  @Test func secondPartIsShownInAViewOfItsOwn() {
    let told = rig.journal.during { expand() }
    #expect(told.prefix(3) == ["loadSecondPart part2.html", "push [\"expanded\"]", "adDidExpand"])
    #expect(rig.screen.modals.last?.displayView == .secondPart)
    #expect(rig.screen.modals.last?.presentingView == .creative)
    #expect(rig.creative.showsSecondPart)
  }

  @Test func secondPartGetsReadyOfItsOwn() {
    expand()
    let told = rig.journal.during { rig.creative.pageDidLoad(.two) }
    #expect(told.prefix(2) == ["ready part two", "stateChange expanded part two"])
  }

  @Test(arguments: [AdPart.one, .two, nil]) func closeEndsTheSecondPart(by part: AdPart?) {
    expand()
    rig.creative.pageDidLoad(.two)
    rig.screen.isSlow = true
    let told = rig.journal.during {
      if let part { rig.creative.handle(.close, from: part, gesture: true) } else { _ = rig.manager.closeTopmost() }
      rig.screen.finish()
    }
    #expect(told.prefix(3) == ["pop []", "adDidCollapse", "discardSecondPart"])
    #expect(rig.state == .default)
    #expect(!rig.host.hasSecondPart)
    #expect(!rig.creative.showsSecondPart)
  }

  @Test func closeBeforeTheSecondPartIsLoadedLeavesItWithoutReady() {
    expand()
    _ = rig.hostClose()
    let told = rig.journal.during { rig.creative.pageDidLoad(.two) }
    #expect(told == [])
    #expect(rig.state == .default)
  }

  @Test func secondPartThatCannotBeLoadedIsAnErrorAndChangesNothing() {
    rig.host.canLoadSecondPart = false
    rig.call(.setOrientationProperties(["forceOrientation": "landscape"]))
    let told = rig.journal.during { expand() }
    rig.host.runScheduled()
    #expect(told == ["apply landscape", "apply none", "error"])
    #expect(rig.state == .default)
    #expect(rig.kinds == [])
    #expect(!rig.creative.showsSecondPart)
    #expect(rig.screen.orientation == .portrait)
  }

  @Test func resizedAdIsReplacedByItsSecondPart() {
    rig.resize()
    let told = rig.journal.during { expand() }
    #expect(told.contains("reset [\"expanded\"]"))
    #expect(rig.screen.modals.map(\.displayView) == [.secondPart])
    rig.call(.close)
    #expect(rig.kinds == [])
  }

  @Test func browserIsPresentedFromTheSecondPart() {
    expand()
    rig.creative.pageDidLoad(.two)
    rig.creative.handle(.open(url: "https://shop.example"), from: .two, gesture: true)
    #expect(rig.kinds == ["expanded", "browser"])
    #expect(rig.screen.modals.last?.presentingView == .secondPart)
    _ = rig.hostClose()
    #expect(rig.kinds == ["expanded"])
    #expect(rig.state == .expanded)
    #expect(rig.host.hasSecondPart)
  }

  @Test func unloadWhileItIsLaidOutEndsBothParts() {
    rig.screen.isSlow = true
    expand()
    let told = rig.journal.during { rig.creative.handle(.unload, from: .two, gesture: false) }
    let ending = ["clear []", "slot empty", "adDidCollapse", "adDidClose", "adDidComplete", "requestAd"]
    #expect(told == ending + ["discardSecondPart"])
    let late = rig.journal.during { rig.screen.finish() }
    #expect(late == [])
    #expect(rig.host.states == [.default])
    #expect(!rig.host.hasSecondPart)
  }
}
