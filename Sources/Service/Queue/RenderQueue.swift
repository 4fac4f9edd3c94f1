/// Who waits and whose turn it is: bounded, fair among owners, first come first served with each of them.
package struct RenderQueue: Sendable {
  /// Tickets that may wait.
  package let capacity: Int
  /// Tickets that may be under way together.
  package let width: Int
  package private(set) var waiting: [Ticket] = []
  private var active: [String: String] = [:]
  /// Whether nobody is let through any more.
  package private(set) var isClosed = false

  package init(capacity: Int, width: Int) {
    (self.capacity, self.width) = (max(1, capacity), max(1, width))
  }

  package var isFull: Bool { waiting.count >= capacity }
  /// Tickets that are under way.
  package var activeCount: Int { active.count }

  /// Lines a ticket up, even beyond the capacity when it was accepted long ago.
  package mutating func add(_ ticket: Ticket) { waiting.append(ticket) }

  /// Lets as many through as may be under way.
  package mutating func admit() -> [Ticket] {
    var admitted: [Ticket] = []
    while !isClosed, active.count < width, let index = next {
      let ticket = waiting.remove(at: index)
      active[ticket.id] = ticket.owner
      admitted.append(ticket)
    }
    return admitted
  }

  /// The first ticket of an owner who has the fewest under way.
  private var next: Int? {
    let load = active.values.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    return waiting.indices.min { load[waiting[$0].owner, default: 0] < load[waiting[$1].owner, default: 0] }
  }

  /// Takes a ticket out, wherever it is; says whether it was there.
  @discardableResult package mutating func remove(_ id: String) -> Bool {
    if active.removeValue(forKey: id) != nil { return true }
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return false }
    waiting.remove(at: index)
    return true
  }

  /// How many of an owner's wait or are under way.
  package func count(of owner: String) -> Int {
    waiting.count { $0.owner == owner } + active.values.count { $0 == owner }
  }

  /// Lets nobody through from now on.
  package mutating func close() { isClosed = true }
}
