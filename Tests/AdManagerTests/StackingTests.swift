import AdManager
import Device
import Testing

/// Order on the stack when creatives ask for modal states in any order.
@Suite struct StackingTests {
  static let browser = ModalState.Kind.browser(url: "https://shop.example")
  static let video = ModalState.Kind.video(url: "film.mp4")

  struct Row: Sendable, CustomTestStringConvertible {
    var asked: [ModalState.Kind]
    var stack: [String]
    /// Name of the last operation.
    var operation: String

    var testDescription: String { asked.map(\.name).joined(separator: " then ") }
  }

  static let rows: [Row] = [
    Row(asked: [.expanded], stack: ["expanded"], operation: "push"),
    Row(asked: [.resized], stack: ["resized"], operation: "push"),
    Row(asked: [.resized, .resized], stack: ["resized"], operation: "reset"),
    Row(asked: [.resized, .expanded], stack: ["expanded"], operation: "reset"),
    Row(asked: [browser], stack: ["browser"], operation: "push"),
    Row(asked: [browser, browser], stack: ["browser"], operation: "reset"),
    Row(asked: [browser, video], stack: ["video"], operation: "reset"),
    Row(asked: [.expanded, browser], stack: ["expanded", "browser"], operation: "push"),
    Row(asked: [.expanded, video], stack: ["expanded", "video"], operation: "push"),
    Row(asked: [browser, .expanded], stack: ["expanded", "browser"], operation: "push"),
    Row(asked: [.resized, browser, .expanded], stack: ["expanded", "browser"], operation: "reset"),
    Row(asked: [.resized, browser, .resized], stack: ["resized", "browser"], operation: "reset"),
  ]

  @Test(arguments: rows) func bannerStatesKeepTheirOrder(row: Row) {
    let rig = ManagerRig(.banner)
    let creative = rig.start()
    for kind in row.asked { creative.show(kind) }
    #expect(rig.screen.kinds == row.stack)
    #expect(rig.journal.lines.last { $0.contains("[") }?.hasPrefix(row.operation) == true)
  }

  @Test(arguments: rows) func interstitialStatesKeepTheirOrderAboveTheInterstitial(row: Row) {
    let rig = ManagerRig(.interstitial)
    let creative = rig.start()
    for kind in row.asked { creative.show(kind) }
    #expect(rig.screen.kinds == ["interstitial"] + row.stack)
  }

  @Test(arguments: rows) func closingTakesTheAdsOwnStateAndLeavesTheBrowser(row: Row) {
    let rig = ManagerRig(.banner)
    let creative = rig.start()
    for kind in row.asked { creative.show(kind) }
    creative.close { rig.journal.note("done") }
    #expect(rig.screen.kinds == row.stack.filter { $0 == "browser" || $0 == "video" })
    #expect(rig.journal.count("done") == 1)
  }

  @Test func interstitialThatOpenedABrowserWhileItWaitedIsShownBeneathIt() {
    let rig = ManagerRig(.interstitial)
    let creative = rig.supply("ad")[0]
    rig.manager.load()
    creative.openBrowser()
    rig.manager.show()
    #expect(rig.screen.kinds == ["interstitial", "browser"])
  }

  @Test func expandedAdIsToldOnceToHaveExpandedAndCollapsed() {
    let rig = ManagerRig(.banner)
    let creative = rig.start()
    let told = rig.journal.during {
      creative.show(.resized)
      creative.show(.expanded)
      creative.close()
    }
    #expect(told == ["push [\"resized\"]", "reset [\"expanded\"]", "adDidExpand", "pop []", "adDidCollapse"])
  }

  @Test func resizeIsNoExpansion() {
    let rig = ManagerRig(.banner)
    let creative = rig.start()
    let told = rig.journal.during {
      creative.show(.resized)
      creative.close()
    }
    #expect(told == ["push [\"resized\"]", "pop []"])
  }

  @Test func hostCloseOfABrowserLeavesTheAdBeneathAlone() {
    let rig = ManagerRig(.banner)
    let creative = rig.start()
    creative.show(.expanded)
    creative.openBrowser()
    let told = rig.hostClose()
    #expect(told == ["pop [\"expanded\"]", "ad resume", "adClickthroughDidClose"])
    #expect(rig.screen.kinds == ["expanded"])
  }

  @Test func hostCloseOfAnAdsOwnStateIsTheCreativesToAnswer() {
    let rig = ManagerRig(.banner)
    let creative = rig.start()
    creative.show(.expanded)
    let told = rig.hostClose()
    #expect(told == ["ad hostClosed"])
    #expect(rig.screen.kinds == ["expanded"])
  }

  @Test func closedPlayerIsNoClickthroughAndNoCollapse() {
    let rig = ManagerRig(.banner)
    let creative = rig.start()
    rig.adView.notesCreative = true
    creative.show(Self.video)
    let told = rig.hostClose()
    #expect(told == ["pop []", "ad resume", "creativeFullScreenDidFinish"])
  }

  @Test func closedPlayerOverAnExpandedAdIsNoCollapse() {
    let rig = ManagerRig(.banner)
    let creative = rig.start()
    creative.show(.expanded)
    creative.show(Self.video)
    _ = rig.hostClose()
    #expect(rig.journal.count("adDidCollapse") == 0)
    creative.close()
    #expect(rig.journal.count("adDidCollapse") == 1)
  }

  @Test func replacedBrowserIsClosedToo() {
    let rig = ManagerRig(.banner)
    let creative = rig.start()
    creative.openBrowser("https://one.example")
    creative.openBrowser("https://two.example")
    #expect(rig.journal.count("adClickthroughDidClose") == 1)
    #expect(rig.screen.modals.map(\.kind) == [.browser(url: "https://two.example")])
    _ = rig.hostClose()
    #expect(rig.journal.count("adClickthroughDidClose") == 2)
  }

  @Test func closeOfNothingCompletesAtOnce() {
    let rig = ManagerRig(.interstitial)
    let creative = rig.supply("ad")[0]
    rig.manager.load()
    let told = rig.journal.during { creative.close { rig.journal.note("done") } }
    #expect(told == ["done"])
  }
}
