package import AdManager
package import Core
package import RenderModel

extension ContentType {
  package static let ad = ContentType(rawValue: "ad")
}

/// Puts ads among the posts that are there already.
package struct AdProvider: ContentProvider {
  /// As the feed file has them.
  package let rules: AdRules

  package init(rules: AdRules) { self.rules = rules }

  package var type: ContentType { .ad }

  package func enrich(_ model: inout ContentModel, in context: FeedContext) -> [FeedDecision] {
    let posts = model.count(of: .post)
    var decisions: [FeedDecision] = []
    for (index, before) in rules.postsBefore(inFeedOf: posts).enumerated() {
      guard let position = model.position(afterCount: before, of: .post) else { continue }
      model.register(.ad, at: position)
      let rule = index == 0 ? "the first after \(rules.firstAfter) posts" : "after \(rules.thenEvery ?? 0) more posts"
      decisions.append(FeedDecision(.ad, at: position, "\(rule), as \(identifier(index))"))
    }
    return decisions + [FeedDecision(.ad, at: nil, reasonForNoMore(decisions.count, posts))]
  }

  package func item(at relativeIndex: Int) -> any ContentItem {
    AdSlotSpec(unit: AdUnit(identifier: identifier(relativeIndex), index: relativeIndex), size: rules.size)
  }

  private func identifier(_ index: Int) -> String { index == 0 ? rules.firstIdentifier : rules.thenIdentifier }

  private func reasonForNoMore(_ placed: Int, _ posts: Int) -> String {
    guard placed > 0 else { return "the first ad needs \(rules.firstAfter) posts, and there are \(posts)" }
    guard let every = rules.thenEvery else { return "the rules have one ad only" }
    let left = posts - rules.firstAfter - (placed - 1) * every
    return "the next ad needs \(every) more posts, and \(left) are left"
  }
}

extension AdProvider {
  /// The feed file's `ads` section.
  package init(_ section: YAMLNode) throws(Fault) {
    let members = try section.members(of: "ads", allowed: ["first", "then", "size", "distance", "rotate"])
    var rules = AdRules()
    if let first = members["first"] {
      let rule = try first.members(of: "first", allowed: ["after", "as"])
      rules.firstAfter = try rule["after"]?.wholeNumber("after", in: 1...10_000) ?? rules.firstAfter
      rules.firstIdentifier = try rule["as"]?.word("as") ?? rules.firstIdentifier
    }
    if let then = members["then"] { try Self.readFollowing(then, into: &rules) }
    if let size = members["size"] { rules.size = try size.size("size") }
    if let distance = members["distance"] { rules.distance = try distance.number("distance", in: 0...5_000) }
    if let rotate = members["rotate"] {
      rules.rotation = rotate.scalar == .bool(false) ? nil : try rotate.number("rotate", in: 1...3_600)
    }
    self.init(rules: rules)
  }

  /// `false` for no more than the first.
  private static func readFollowing(_ node: YAMLNode, into rules: inout AdRules) throws(Fault) {
    if node.scalar == .bool(false) {
      rules.thenEvery = nil
      return
    }
    let rule = try node.members(of: "then", allowed: ["every", "as"])
    rules.thenEvery = try rule["every"]?.wholeNumber("every", in: 1...10_000) ?? rules.thenEvery
    rules.thenIdentifier = try rule["as"]?.word("as") ?? rules.thenIdentifier
  }
}

/// Where ads stand among posts, which identifiers they have, and how their cells go about them.
package struct AdRules: Hashable, Sendable {
  /// Posts before the first ad, 1 or more.
  package var firstAfter: Int
  /// What the first ad is asked for as.
  package var firstIdentifier: String
  /// Posts from one ad to the next, 1 or more; nil for no more than one.
  package var thenEvery: Int?
  /// What all others are asked for as.
  package var thenIdentifier: String
  /// In dip.
  package var size: Size
  /// How far below or above the screen a cell begins to load, in dip.
  package var distance: Double
  /// Seconds on screen after which another ad takes the place; nil for never.
  package var rotation: Double?

  /// The founding rules: after three posts, then after every five, another ad every half minute.
  package init(
    firstAfter: Int = 3, firstIdentifier: String = "feed-first", thenEvery: Int? = 5,
    thenIdentifier: String = "feed-more", size: Size = Size(width: 300, height: 250), distance: Double = 200,
    rotation: Double? = 30
  ) {
    self.firstAfter = firstAfter
    self.firstIdentifier = firstIdentifier
    self.thenEvery = thenEvery
    self.thenIdentifier = thenIdentifier
    self.size = size
    self.distance = distance
    self.rotation = rotation
  }

  /// After how many posts each ad stands, in a feed of so many.
  package func postsBefore(inFeedOf posts: Int) -> [Int] {
    guard posts >= firstAfter else { return [] }
    return thenEvery.map { Array(stride(from: firstAfter, through: posts, by: $0)) } ?? [firstAfter]
  }
}

/// Where an ad goes in the feed: which one, and how large.
package struct AdSlotSpec: ContentItem, Hashable {
  /// What the ad service is asked for.
  package var unit: AdUnit
  /// In dip.
  package var size: Size

  package init(unit: AdUnit, size: Size) {
    self.unit = unit
    self.size = size
  }

  package var id: String { "ad-\(unit.index + 1)" }
}

/// Draws an ad's place: a label over the room that the ad's own view fills.
package struct AdCellFactory: CellFactory {
  package init() {}

  package func accepts(_ item: any ContentItem) -> Bool { item is AdSlotSpec }

  package func cell(for item: any ContentItem) -> FeedCell {
    FeedCell(
      id: item.id, type: .ad,
      markup: """
        <small class="label">Advertisement</small>\
        <div class="room" data-view><span class="indicator" hidden></span></div>
        """,
      ad: item as? AdSlotSpec)
  }
}
