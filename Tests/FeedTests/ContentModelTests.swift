import AdManager
import Core
import Feed
import Testing

@Suite struct ContentModelTests {
  private func model(_ letters: String) -> ContentModel {
    var model = ContentModel()
    for letter in letters { model.register(ContentType(rawValue: String(letter)), at: model.count) }
    return model
  }

  @Test func `slots keep their order, and what is put between moves the rest down`() {
    var model = model("pp")
    model.register(.ad, at: 1)
    #expect((0..<3).map { model.type(at: $0).rawValue } == ["p", "ad", "p"])
    #expect(model.count == 3)
  }

  @Test func `a copy that is changed leaves the other as it was`() {
    let before = model("pp")
    var after = before
    after.register(.ad, at: 0)
    #expect(before.count == 2 && after.count == 3)
    #expect(before.type(at: 0).rawValue == "p")
  }

  @Test(arguments: ["", "p", "ppap", "apppnppapps", "aaaa"])
  func `relative indexes lead back to their positions`(letters: String) {
    let model = model(letters)
    for position in 0..<model.count {
      let type = model.type(at: position)
      #expect(model.position(of: type, relativeIndex: model.relativeIndex(at: position)) == position)
    }
    for letter in Set(letters) {
      let type = ContentType(rawValue: String(letter))
      #expect(model.positions(of: type).map { model.relativeIndex(at: $0) } == Array(0..<model.count(of: type)))
      #expect(model.position(of: type, relativeIndex: model.count(of: type)) == nil)
    }
  }

  @Test func `the place after so many of a kind is after the last of them, whatever stands between`() {
    let model = model("papap")
    #expect(model.position(afterCount: 0, of: ContentType(rawValue: "p")) == 0)
    #expect(model.position(afterCount: 2, of: ContentType(rawValue: "p")) == 3)
    #expect(model.position(afterCount: 4, of: ContentType(rawValue: "p")) == nil)
  }
}

/// Properties of any assembled feed, for every count of posts and every rule.
@Suite struct PlacementPropertyTests {
  private static let rules: [AdRules] = (1...7).flatMap { first in
    (0...6).map { every in AdRules(firstAfter: first, thenEvery: every == 0 ? nil : every) }
  }

  @Test(arguments: 0...25) func `ads stand where their rules say, and nowhere else`(posts: Int) throws {
    for rules in Self.rules {
      for survey in [nil, 1, 3, 4] {
        let contents = try Sample.assembly(posts: posts, ads: rules, surveyAfter: survey).contents(
          in: Sample.situation())
        let model = contents.model
        let before = model.positions(of: .ad).map { position in
          (0..<position).count { model.type(at: $0) == .post }
        }
        var expected: [Int] = []
        for count in 0...max(posts, 1) where count <= posts {
          let isFirst = count == rules.firstAfter
          let isNext = count > rules.firstAfter && rules.thenEvery.map { (count - rules.firstAfter) % $0 == 0 } ?? false
          if isFirst || isNext { expected.append(count) }
        }
        #expect(before == expected)
      }
    }
  }

  @Test(arguments: 0...25) func `no two ads follow each other without a post between, and none is first`(posts: Int)
    throws
  {
    for rules in Self.rules {
      let model = try Sample.assembly(posts: posts, ads: rules, surveyAfter: 2).contents(in: Sample.situation()).model
      var postsSince = 0
      for position in 0..<model.count {
        switch model.type(at: position) {
        case .post: postsSince += 1
        case .ad:
          #expect(postsSince > 0)
          postsSince = 0
        default: break
        }
      }
    }
  }

  @Test(arguments: 0...25) func `the notification is second but never last, or not there`(posts: Int) throws {
    for rules in Self.rules {
      for survey in [nil, 1, 2] {
        let model = try Sample.assembly(posts: posts, ads: rules, surveyAfter: survey)
          .contents(in: Sample.situation()).model
        let others = model.count - model.count(of: .notification)
        #expect(model.positions(of: .notification) == (others >= 2 ? [1] : []))
        #expect(model.positions(of: .notification).last != model.count - 1 || model.count == 0)
      }
    }
  }

  @Test(arguments: 0...25) func `posts keep their order, and every slot has the cell of its own item`(posts: Int) throws
  {
    for rules in Self.rules {
      let contents = try Sample.assembly(posts: posts, ads: rules, surveyAfter: 3).contents(in: Sample.situation())
      #expect(contents.cells.count == contents.model.count)
      #expect(contents.cells.filter { $0.type == .post }.map(\.id) == (0..<posts).map { "post-\($0)" })
      #expect(Set(contents.cells.map(\.id)).count == contents.cells.count)
      for (position, cell) in contents.cells.enumerated() {
        let model = contents.model
        #expect(cell.type == model.type(at: position))
        #expect(model.position(of: cell.type, relativeIndex: model.relativeIndex(at: position)) == position)
      }
      #expect(contents.cells.compactMap(\.ad?.unit.index) == Array(0..<contents.model.count(of: .ad)))
    }
  }

  @Test func `the first ad has an identifier of its own`() throws {
    let cells = try Sample.assembly(posts: 14, notification: nil).contents(in: Sample.situation()).cells
    #expect(cells.compactMap(\.ad?.unit.identifier) == ["feed-first", "feed-more", "feed-more"])
    #expect(cells.enumerated().filter { $0.element.ad != nil }.map(\.offset) == [3, 9, 15])
  }

  @Test func `every decision says why, also why there isn't more`() throws {
    let contents = try Sample.assembly(posts: 10, surveyAfter: 3).contents(in: Sample.situation())
    let told = contents.decisions.map { "\($0.type.rawValue) \($0.position.map(String.init) ?? "-") \($0.reason)" }
    #expect(
      told == [
        "ad 3 the first after 3 posts, as feed-first", "ad 9 after 5 more posts, as feed-more",
        "ad - the next ad needs 5 more posts, and 2 are left", "survey 4 after 3 posts and the ad there",
        "notification 1 the person hasn't met it yet",
      ])
  }

  @Test func `a kind that is turned off is nowhere, and says so`() throws {
    let contents = try Sample.assembly(posts: 10, disabled: [.ad]).contents(in: Sample.situation())
    #expect(contents.model.count(of: .ad) == 0)
    #expect(contents.decisions.first == FeedDecision(.ad, at: nil, "turned off by the feed's features"))
  }

  @Test func `text of others never becomes markup`() {
    let evil = Post(
      id: "post-1", author: "<b>", handle: "\"x", album: "&", title: "'><script>", text: "<img>", image: "\"><i>")
    let text = PostCellFactory().cell(for: evil).markup.text
    #expect(!text.contains("<script>") && !text.contains("<i>") && !text.contains("<p><img>"))
    #expect(text.contains("&#39;&gt;&lt;script&gt;"))
  }
}

@Suite struct NotificationRulesTests {
  private let rules = NotificationRules(kinds: ["main"], days: 5, launches: 20)

  private func isDue(_ history: FeedHistory) -> Bool { rules.verdict(in: Sample.situation(history)).isDue }

  @Test func `it comes up on the first launch`() { #expect(isDue(FeedHistory())) }

  @Test func `only feeds of its kinds have it`() {
    #expect(!rules.verdict(in: FeedContext(kind: "other")).isDue)
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
