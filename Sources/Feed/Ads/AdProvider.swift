internal import AdExperience

extension ContentType {
  package static let ad = ContentType(rawValue: "ad")
}

/// Puts ads among the posts that are there already.
package struct AdProvider: ContentProvider {
  /// As the feed file has them.
  package let rules: AdRules

  package init(rules: AdRules) { self.rules = rules }

  package var type: ContentType { .ad }

  package func enrich(_ model: inout ContentModel, in situation: FeedSituation) -> [FeedDecision] {
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
    AdPlace(unit: AdUnit(identifier: identifier(relativeIndex), index: relativeIndex), size: rules.size)
  }

  private func identifier(_ index: Int) -> String { index == 0 ? rules.firstIdentifier : rules.thenIdentifier }

  private func reasonForNoMore(_ placed: Int, _ posts: Int) -> String {
    guard placed > 0 else { return "the first ad needs \(rules.firstAfter) posts, and there are \(posts)" }
    guard let every = rules.thenEvery else { return "the rules have one ad only" }
    let left = posts - rules.firstAfter - (placed - 1) * every
    return "the next ad needs \(every) more posts, and \(left) are left"
  }
}
