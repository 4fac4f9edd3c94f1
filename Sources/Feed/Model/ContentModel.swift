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
