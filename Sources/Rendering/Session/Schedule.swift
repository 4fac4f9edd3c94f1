/// Actions that wait for an instant, done in the order of their instants: of two that are due together, the machine may
/// wake the second first.
struct Schedule {
  private struct Entry {
    let due: Duration
    let action: () -> Void
  }

  private var waiting: [Entry] = []

  /// How many wait.
  var count: Int { waiting.count }

  /// Adds an action after those that are due by then.
  mutating func add(at due: Duration, _ action: @escaping () -> Void) {
    let place = waiting.firstIndex { $0.due > due } ?? waiting.endIndex
    waiting.insert(Entry(due: due, action: action), at: place)
  }

  /// Takes out the first action that is due by this instant; nil for none.
  mutating func next(dueBy instant: Duration) -> (() -> Void)? {
    guard let first = waiting.first, first.due <= instant else { return nil }
    return waiting.removeFirst().action
  }
}
