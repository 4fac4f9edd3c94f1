package import AdManager
package import Core
package import RenderModel

extension ContentType {
  package static let ad = ContentType(rawValue: "ad")
}

/// Places ads among the posts that exist already.
package struct AdProvider: ContentProvider {
  /// Rules from the feed file.
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
  /// Reads the feed file's `ads` section.
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

  /// Reads the rules for all ads after the first; `false` for none.
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

/// Rules for ads: their positions among posts, their identifiers, and the behaviour of their cells.
package struct AdRules: Hashable, Sendable {
  /// Number of posts before the first ad, 1 or more.
  package var firstAfter: Int
  /// Advertisement identifier of the first ad.
  package var firstIdentifier: String
  /// Number of posts from one ad to the next, 1 or more; nil for a single ad.
  package var thenEvery: Int?
  /// Advertisement identifier of all other ads.
  package var thenIdentifier: String
  /// Size of the ads in dip.
  package var size: Size
  /// Distance from the screen at which a cell begins to load, above or below it, in dip.
  package var distance: Double
  /// Seconds on screen after which another ad takes the place; nil for never.
  package var rotation: Double?

  /// Creates the default rules: after three posts, then after every five, another ad every half minute.
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

  /// Returns, for each ad in a feed with this number of posts, the number of posts before it.
  package func postsBefore(inFeedOf posts: Int) -> [Int] {
    guard posts >= firstAfter else { return [] }
    return thenEvery.map { Array(stride(from: firstAfter, through: posts, by: $0)) } ?? [firstAfter]
  }
}

/// Place for an ad in the feed, with the ad's identifier and size.
package struct AdSlotSpec: ContentItem, Hashable {
  /// Request to the ad service.
  package var unit: AdUnit
  /// Size in dip.
  package var size: Size

  package init(unit: AdUnit, size: Size) {
    self.unit = unit
    self.size = size
  }

  package var id: String { "ad-\(unit.index + 1)" }
}

/// Draws a place for an ad: a label above the frame that the ad's own view fills.
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
