/// Feed as a list of typed slots, which gives the position of each kind of content without holding the content.
///
/// It is a value: a provider changes its own copy, and other copies stay as they are.
package struct ContentModel: Hashable, Sendable {
  private var slots: [ContentType] = []

  /// Creates an empty feed.
  package init() {}

  /// Number of slots.
  package var count: Int { slots.count }

  /// Inserts a slot at a position from 0 to `count`; the slots from there on move down by one.
  package mutating func register(_ type: ContentType, at position: Int) { slots.insert(type, at: position) }

  /// Returns the kind of the slot at a position.
  package func type(at position: Int) -> ContentType { slots[position] }

  /// Returns the number of slots of a kind.
  package func count(of type: ContentType) -> Int { slots.count { $0 == type } }

  /// Returns the slot's number among those of its kind, from 0; its provider identifies the item by it.
  package func relativeIndex(at position: Int) -> Int {
    let type = slots[position]
    return slots[..<position].count { $0 == type }
  }

  /// Returns the position of the kind's slot with this relative index; nil if there are fewer.
  package func position(of type: ContentType, relativeIndex: Int) -> Int? {
    positions(of: type).dropFirst(relativeIndex).first
  }

  /// Returns the positions of a kind's slots, from the top.
  package func positions(of type: ContentType) -> [Int] { slots.indices.filter { slots[$0] == type } }

  /// Returns the position right after the given number of slots of a kind; nil if there are fewer.
  package func position(afterCount wanted: Int, of type: ContentType) -> Int? {
    wanted == 0 ? 0 : position(of: type, relativeIndex: wanted - 1).map { $0 + 1 }
  }
}

/// Kind of content that a slot of the feed is for; each kind's own file adds its name.
package struct ContentType: RawRepresentable, Hashable, Sendable {
  /// Name in feed files, features and the event log.
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
}

/// Content of a slot: a post, a place for an ad, a notification.
package protocol ContentItem: Sendable {
  /// Identifier of letters, digits and hyphens, unique in its feed and independent of the items around it.
  var id: String { get }
}

/// Provider of one kind of content: places its slots among the existing ones and supplies the item of each.
package protocol ContentProvider: Sendable {
  /// Kind of content that it provides.
  var type: ContentType { get }
  /// Adds its slots to a model that earlier providers have filled; returns the reason for each slot or for its absence.
  func enrich(_ model: inout ContentModel, in context: FeedContext) -> [FeedDecision]
  /// Returns the item of its slot with this relative index.
  func item(at relativeIndex: Int) -> any ContentItem
}

/// Facts for providers in addition to the model: the kind of feed and the user's history.
package struct FeedContext: Hashable, Sendable {
  /// Kind of feed: subscriptions, popular or any other that an app has.
  package var kind: String
  package var history: FeedHistory

  package init(kind: String, history: FeedHistory = FeedHistory()) {
    self.kind = kind
    self.history = history
  }
}

/// Reason that a slot was added, or wasn't.
package struct FeedDecision: Hashable, Sendable {
  /// Kind of content whose provider decided.
  package var type: ContentType
  /// Position of the slot at the time of the decision; nil if none was added.
  package var position: Int?
  /// Reason in one line, from the rules.
  package var reason: String

  /// Creates the decision for a slot at `position`, or for none if it is nil.
  package init(_ type: ContentType, at position: Int?, _ reason: String) {
    self.type = type
    self.position = position
    self.reason = reason
  }
}

/// Assembles a feed: providers in order, each seeing the slots of the earlier ones, then a cell for each slot.
package struct FeedAssembly: Sendable {
  private let providers: [any ContentProvider]
  private let factories: [any CellFactory]
  /// Kinds of content that are turned off.
  private let disabled: Set<ContentType>

  /// Creates an assembly: `providers` decide in this order, and the first of `factories` that accepts an item makes its
  /// cell.
  package init(
    providers: [any ContentProvider], factories: [any CellFactory], disabled: Set<ContentType> = []
  ) {
    self.providers = providers
    self.factories = factories
    self.disabled = disabled
  }

  /// Assembles the feed for this context; the same context always gives the same feed.
  package func contents(in context: FeedContext) -> FeedContents {
    var model = ContentModel()
    var decisions: [FeedDecision] = []
    for provider in providers {
      if disabled.contains(provider.type) {
        decisions.append(FeedDecision(provider.type, at: nil, "turned off by the feed's features"))
      } else {
        decisions += provider.enrich(&model, in: context)
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

/// Feed as it is assembled for one context.
package struct FeedContents: Sendable {
  /// Kinds of content by position.
  package let model: ContentModel
  /// Reasons, in the order in which providers decided.
  package let decisions: [FeedDecision]
  /// Cells from the top.
  package let cells: [FeedCell]
}
