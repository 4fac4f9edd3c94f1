/// Puts a feed together: providers in their order, each seeing what those before it left, then a cell for each slot.
package struct FeedAssembly: Sendable {
  private let providers: [any ContentProvider]
  private let factories: [any CellFactory]
  /// Kinds that are turned off.
  private let disabled: Set<ContentType>

  /// `providers` decide in this order; of `factories` the first that accepts an item makes its cell.
  package init(
    providers: [any ContentProvider], factories: [any CellFactory], disabled: Set<ContentType> = []
  ) {
    self.providers = providers
    self.factories = factories
    self.disabled = disabled
  }

  /// The feed in this situation; the same situation gives the same feed.
  package func contents(in situation: FeedSituation) -> FeedContents {
    var model = ContentModel()
    var decisions: [FeedDecision] = []
    for provider in providers {
      if disabled.contains(provider.type) {
        decisions.append(FeedDecision(provider.type, at: nil, "turned off by the feed's features"))
      } else {
        decisions += provider.enrich(&model, in: situation)
      }
    }
    return FeedContents(
      model: model, decisions: decisions, cells: (0..<model.count).compactMap { cell(at: $0, of: model) })
  }

  private func cell(at position: Int, of model: ContentModel) -> FeedCell? {
    let type = model.type(at: position)
    guard let provider = providers.first(where: { $0.type == type }) else { return nil }
    let item = provider.item(at: model.relativeIndex(at: position))
    return factories.first { $0.accepts(item) }?.cell(for: item)
  }
}
