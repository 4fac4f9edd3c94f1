/// A feed as a list of typed slots, which says what stands where and holds nothing of it.
///
/// It is a value: a provider changes its copy, and whoever has another sees nothing of that.
package struct ContentModel: Hashable, Sendable {
  private var slots: [ContentType] = []

  /// A feed with nothing in it.
  package init() {}

  /// How many slots there are.
  package var count: Int { slots.count }

  /// Makes room for an item at a position from 0 to `count`; what stood there and after moves down by one.
  package mutating func register(_ type: ContentType, at position: Int) { slots.insert(type, at: position) }

  /// The kind of the slot there.
  package func type(at position: Int) -> ContentType { slots[position] }

  /// How many slots of a kind there are.
  package func count(of type: ContentType) -> Int { slots.count { $0 == type } }

  /// The how-manieth of its kind the slot is, from 0: by this its provider knows the item.
  package func relativeIndex(at position: Int) -> Int {
    let type = slots[position]
    return slots[..<position].count { $0 == type }
  }

  /// Where the kind's slot with this relative index stands; nil when there are fewer.
  package func position(of type: ContentType, relativeIndex: Int) -> Int? {
    positions(of: type).dropFirst(relativeIndex).first
  }

  /// Where a kind stands, from the top.
  package func positions(of type: ContentType) -> [Int] { slots.indices.filter { slots[$0] == type } }

  /// Where the next thing after so many of a kind would go; nil when there aren't so many.
  package func position(afterCount wanted: Int, of type: ContentType) -> Int? {
    wanted == 0 ? 0 : position(of: type, relativeIndex: wanted - 1).map { $0 + 1 }
  }
}

/// What kind of thing a slot of the feed is for. Each kind's own file adds its name.
package struct ContentType: RawRepresentable, Hashable, Sendable {
  /// As feed files, features and the event log have it.
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
}

/// What a slot stands for: a post, an ad's place, a notification.
package protocol ContentItem: Sendable {
  /// Unique in its feed, of letters, digits and hyphens, and the same whatever stands around it.
  var id: String { get }
}

/// Knows one kind of content: where it goes among what is there already, and what each of its slots stands for.
package protocol ContentProvider: Sendable {
  /// The kind it answers for.
  var type: ContentType { get }
  /// Adds its slots to a model that those before it have enriched, and notes why each is there or isn't.
  func enrich(_ model: inout ContentModel, in context: FeedContext) -> [FeedDecision]
  /// The item of its slot with this relative index.
  func item(at relativeIndex: Int) -> any ContentItem
}

/// What providers may go by besides the model: which feed it is, and what this person did before.
package struct FeedContext: Hashable, Sendable {
  /// The feed's kind: subscriptions, popular, whatever an app has.
  package var kind: String
  package var history: FeedHistory

  package init(kind: String, history: FeedHistory = FeedHistory()) {
    self.kind = kind
    self.history = history
  }
}

/// Why a slot is there, or isn't.
package struct FeedDecision: Hashable, Sendable {
  /// Whose decision it is.
  package var type: ContentType
  /// Where the slot was put, counted when it was; nil for none.
  package var position: Int?
  /// In a line, from the rules.
  package var reason: String

  /// A slot at `position`, or with nil none.
  package init(_ type: ContentType, at position: Int?, _ reason: String) {
    self.type = type
    self.position = position
    self.reason = reason
  }
}

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

/// A feed as it is put together for one situation.
package struct FeedContents: Sendable {
  /// What stands where.
  package let model: ContentModel
  /// Why, in the order in which providers decided.
  package let decisions: [FeedDecision]
  /// From the top.
  package let cells: [FeedCell]
}
