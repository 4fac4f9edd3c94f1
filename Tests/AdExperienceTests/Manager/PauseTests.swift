import AdExperience
import Testing

/// A creative runs while the app is in front and nothing of the host's covers it.
@Suite struct PauseTests {
  enum Event: String, Sendable {
    case background, foreground, browser, close, outOfSight, inSight
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var events: [Event]
    var told: [String]

    var testDescription: String { events.map(\.rawValue).joined(separator: ", ") }
  }

  static let rows: [Row] = [
    Row(events: [.background], told: ["pause"]),
    Row(events: [.background, .background], told: ["pause"]),
    Row(events: [.foreground], told: []),
    Row(events: [.background, .foreground], told: ["pause", "resume"]),
    Row(events: [.browser], told: ["pause"]),
    Row(events: [.browser, .browser, .close], told: ["pause", "resume"]),
    Row(events: [.browser, .background, .foreground], told: ["pause"]),
    Row(events: [.browser, .background, .foreground, .close], told: ["pause", "resume"]),
    Row(events: [.browser, .background, .close], told: ["pause"]),
    Row(events: [.browser, .background, .close, .foreground], told: ["pause", "resume"]),
    Row(events: [.outOfSight], told: ["pause"]),
    Row(events: [.inSight], told: []),
    Row(events: [.outOfSight, .background, .foreground], told: ["pause"]),
    Row(events: [.background, .outOfSight, .foreground, .inSight], told: ["pause", "resume"]),
  ]

  @Test(arguments: rows, [AdConfiguration.Kind.banner, .interstitial])
  func creativeIsToldOfEachChangeOnce(row: Row, kind: AdConfiguration.Kind) {
    let rig = ManagerRig(kind)
    let creative = rig.start()
    let told = rig.journal.during {
      for event in row.events {
        switch event {
        case .background: rig.manager.pause()
        case .foreground: rig.manager.resume()
        case .outOfSight: rig.manager.isInSight = false
        case .inSight: rig.manager.isInSight = true
        case .browser: creative.openBrowser()
        case .close: _ = rig.manager.closeTopmost()
        }
      }
    }
    #expect(told.filter { $0.hasSuffix(" pause") || $0.hasSuffix(" resume") } == row.told.map { "ad \($0)" })
  }

  @Test func adShownOutOfSightIsPausedThoughThatWasKnownBefore() {
    let rig = ManagerRig(.banner)
    rig.supply("ad")
    rig.manager.load()
    rig.manager.isInSight = false
    let told = rig.journal.during { rig.manager.show() }
    #expect(told.filter { $0.hasSuffix(" pause") }.count == 1)
  }

  @Test func adShownInTheBackgroundIsPaused() {
    let rig = ManagerRig(.banner)
    rig.manager.pause()
    _ = rig.start()
    #expect(rig.journal.lines.suffix(3) == ["ad didDisplay", "adDidDisplay", "ad pause"])
  }

  @Test func nextAdInTheBackgroundIsPausedToo() {
    let rig = ManagerRig(.banner)
    let first = rig.start("first")
    rig.manager.pause()
    rig.manager.creativeDidUnload(first)
    _ = rig.start("second")
    #expect(rig.journal.count("second pause") == 1)
  }

  @Test func nothingIsPausedWithoutAnAd() {
    let rig = ManagerRig(.banner)
    rig.manager.pause()
    rig.manager.resume()
    #expect(rig.journal.lines == [])
  }

  @Test func closedBrowserWaitsForTheLayoutBeforeTheCreativeGoesOn() {
    let rig = ManagerRig(.banner)
    let creative = rig.start()
    creative.openBrowser()
    rig.screen.isSlow = true
    let closing = rig.hostClose()
    #expect(closing == ["pop []", "adClickthroughDidClose"])
    let afterwards = rig.journal.during { rig.screen.finish() }
    #expect(afterwards == ["ad resume"])
  }

  @Test func creativeStaysPausedWhenTheNextBrowserOpensBeforeTheLayout() {
    let rig = ManagerRig(.banner)
    let creative = rig.start()
    creative.openBrowser()
    rig.screen.isSlow = true
    _ = rig.hostClose()
    creative.openBrowser()
    rig.screen.finish()
    #expect(rig.journal.count("ad resume") == 0)
  }
}
