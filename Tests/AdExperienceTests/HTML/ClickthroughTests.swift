import AdExperience
import MRAID
import Testing

/// What a click leads to: the browser, the player or another app.
@Suite struct ClickthroughTests {
  let rig = HTMLRig.shown(.banner)

  @Test func openShowsTheBrowserAndPausesTheAd() {
    let told = rig.journal.during { rig.call(.open(url: "https://shop.example")) }
    #expect(told == ["open", "adWasClicked", "push [\"browser\"]"])
    #expect(rig.screen.modals.map(\.kind) == [.browser(url: "https://shop.example")])
    rig.host.runScheduled()
    #expect(rig.journal.lines.last == "viewableChange false")
  }

  @Test func closedBrowserIsToldAndTheAdIsSeenAgain() {
    rig.call(.open(url: "https://shop.example"))
    rig.host.runScheduled()
    let told = rig.hostClose()
    #expect(told == ["pop []", "adClickthroughDidClose"])
    rig.host.runScheduled()
    #expect(rig.journal.lines.last == "viewableChange true")
  }

  @Test(arguments: ["tel:+15550100", "sms:+15550100", "itms-apps://itunes.apple.com/app/id1", "market://details?id=x"])
  func otherAppsAreLeftTo(url: String) {
    let told = rig.journal.during { rig.call(.open(url: url)) }
    #expect(told == ["open", "adWasClicked", "adDidLeaveApp"])
    #expect(rig.kinds == [])
  }

  @Test func linkThatBypassedOpenIsAClickToo() {
    let told = rig.journal.during { rig.creative.clickedThrough(to: "https://shop.example") }
    #expect(told == ["adWasClicked", "push [\"browser\"]"])
  }

  @Test func playVideoShowsThePlayerAndIsNoClick() {
    let playing = rig.journal.during { rig.call(.playVideo(uri: "film.mp4")) }
    #expect(playing == ["playVideo", "push [\"video\"]"])
    let closing = rig.hostClose()
    #expect(closing == ["pop []"])
    #expect(rig.state == .default)
  }

  @Test func hostClosesTheBrowserFirstAndThenTheExpandedAd() {
    rig.call(.expand(url: nil))
    rig.call(.open(url: "https://shop.example"))
    let first = rig.hostClose()
    #expect(first == ["pop [\"expanded\"]", "adClickthroughDidClose"])
    #expect(rig.state == .expanded)
    let second = rig.hostClose()
    #expect(second.prefix(2) == ["pop []", "adDidCollapse"])
    #expect(rig.state == .default)
    let hasClosed = rig.manager.closeTopmost()
    #expect(!hasClosed)
  }

  @Test func adThatClosesBeneathTheBrowserLeavesItOpen() {
    rig.call(.expand(url: nil))
    rig.call(.open(url: "https://shop.example"))
    let closing = rig.journal.during { rig.call(.close) }
    #expect(closing.prefix(2) == ["pop [\"browser\"]", "adDidCollapse"])
    #expect(rig.state == .default)
    let afterwards = rig.hostClose()
    #expect(afterwards.prefix(2) == ["pop []", "adClickthroughDidClose"])
  }

  @Test(arguments: [
    "https://shop.example/a?b=tel:1", "HTTP://shop.example", "page.html?time=10:30", "/a:b", "about:blank",
    "creative://ad/x.html", "//shop.example:80/x", "https://shop.example/apps.apple.com",
    "https://apps.apple.com.example", "https://shop.example?to=//apps.apple.com/x", "",
  ])
  func browserShowsWebPages(url: String) {
    rig.creative.clickedThrough(to: url)
    #expect(rig.kinds == ["browser"])
    #expect(rig.journal.count("adDidLeaveApp") == 0)
  }

  @Test(arguments: [
    "tel:123", "TEL:123", "sms:1", "mailto:a@b.example", "market://details?id=x", "itms-apps://x",
    "intent://x#Intent;end", "https://apps.apple.com/app/id1", "https://itunes.apple.com/app/id1",
    "https://Play.Google.com:443/store/apps/details?id=x", "https://a:b@apps.apple.com/x", "//apps.apple.com/x",
  ])
  func systemGetsEverythingElseAndStores(url: String) {
    rig.creative.clickedThrough(to: url)
    #expect(rig.kinds == [])
    #expect(rig.journal.count("adDidLeaveApp") == 1)
  }
}
