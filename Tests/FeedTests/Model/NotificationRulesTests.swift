import Feed
import Testing

@Suite struct NotificationRulesTests {
  private let rules = NotificationRules(kinds: ["main"], days: 5, launches: 20)

  private func isDue(_ history: FeedHistory) -> Bool { rules.verdict(in: Sample.situation(history)).isDue }

  @Test func `it comes up on the first launch`() { #expect(isDue(FeedHistory())) }

  @Test func `only feeds of its kinds have it`() {
    #expect(!rules.verdict(in: FeedSituation(kind: "other")).isDue)
  }

  @Test func `it stays for the launch in which it came up`() {
    var history = FeedHistory()
    history.meetNotification()
    #expect(isDue(history))
  }

  @Test(arguments: [(0.0, 1, false), (4.9, 19, false), (5, 1, true), (0, 20, true), (9, 30, true)])
  func `scrolled past, it comes again after days or launches`(days: Double, launches: Int, due: Bool) {
    var history = FeedHistory()
    history.meetNotification()
    history.advance(days: days)
    for _ in 0..<launches { history.launch() }
    #expect(isDue(history) == due)
  }

  @Test func `each time it comes up its days begin anew`() {
    var history = FeedHistory()
    history.meetNotification()
    history.advance(days: 5)
    history.launch()
    history.meetNotification()
    history.advance(days: 3)
    history.launch()
    #expect(!isDue(history))
    history.advance(days: 2)
    #expect(isDue(history))
  }

  @Test func `dismissed, it waits for a new version however long that takes`() {
    var history = FeedHistory()
    history.dismissNotification()
    #expect(!isDue(history))
    history.advance(days: 500)
    for _ in 0..<50 { history.launch() }
    #expect(!isDue(history))
    history.update(to: "2.0")
    #expect(isDue(history))
  }

  @Test func `taken up without registering, it comes on the next launch`() {
    var history = FeedHistory()
    history.followNotification(registers: false)
    #expect(!isDue(history))
    history.launch()
    #expect(isDue(history))
  }

  @Test func `whoever has registered never meets it again`() {
    var history = FeedHistory()
    history.followNotification(registers: true)
    history.launch()
    history.advance(days: 900)
    history.update(to: "9.0")
    #expect(!isDue(history))
  }

  @Test func `whoever registers otherwise is left alone, until that is undone`() {
    var history = FeedHistory()
    history.meetNotification()
    history.register()
    #expect(!isDue(history))
    #expect(rules.verdict(in: Sample.situation(history)).reason == "the person has registered")
    history.register(false)
    #expect(isDue(history))
  }

  @Test func `the reason names the numbers it goes by`() {
    var history = FeedHistory()
    history.meetNotification()
    history.launch()
    history.advance(days: 1.5)
    #expect(
      rules.verdict(in: Sample.situation(history)).reason
        == "scrolled past 1.5 days and 1 launches ago; due after 5 or 20")
  }
}
