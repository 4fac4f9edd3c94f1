/// Actions that wait for an instant, performed in the order of their instants.
///
/// Of two actions that are due together, the machine may wake the task of the second first.
package struct Schedule {
  private struct Entry {
    let due: Duration
    let action: () -> Void
  }

  private var waiting: [Entry] = []

  package init() {}

  /// Number of waiting actions.
  package var count: Int { waiting.count }

  /// Adds an action after those that are due by then.
  package mutating func add(at due: Duration, _ action: @escaping () -> Void) {
    let place = waiting.firstIndex { $0.due > due } ?? waiting.endIndex
    waiting.insert(Entry(due: due, action: action), at: place)
  }

  /// Removes and returns the first action that is due by this instant; nil for none.
  package mutating func next(dueBy timestamp: Duration) -> (() -> Void)? {
    guard let first = waiting.first, first.due <= timestamp else { return nil }
    return waiting.removeFirst().action
  }
}
