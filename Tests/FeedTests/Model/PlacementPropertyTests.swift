import AdExperience
import Feed
import Testing

/// For every count of posts and every rule: what has to hold whatever the feed is put together of.
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
      id: "post-1", author: "<b>", handle: "\"x", album: "&", title: "'><script>", text: "<img>", picture: "\"><i>")
    let text = PostCellFactory().cell(for: evil).markup.text
    #expect(!text.contains("<script>") && !text.contains("<i>") && !text.contains("<p><img>"))
    #expect(text.contains("&#39;&gt;&lt;script&gt;"))
  }
}
