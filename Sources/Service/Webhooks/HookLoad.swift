internal import ServiceStore
internal import Synchronization

/// The webhooks that are on their way: so many together, and so many to a receiver, that no slow one delays the others.
final class HookLoad: Sendable {
  /// Webhooks on their way together, and to one receiver.
  static let most = 32
  static let mostOfOne = 4

  private struct Book {
    var hooks: Set<String> = []
    var receivers: [String: Int] = [:]
  }

  private let book = Mutex(Book())

  /// How many more may go.
  var room: Int { book.withLock { Self.most - $0.hooks.count } }
  /// Those on their way.
  var hooks: Set<String> { book.withLock { $0.hooks } }
  /// Receivers to which no more may go.
  var full: Set<String> { book.withLock { Set($0.receivers.filter { $0.value >= Self.mostOfOne }.keys) } }

  /// Sends one off; false when its receiver or all have as many as may be.
  func take(_ hook: Hook) -> Bool {
    book.withLock { book in
      guard book.hooks.count < Self.most, book.receivers[hook.receiver, default: 0] < Self.mostOfOne,
        book.hooks.insert(hook.id).inserted
      else { return false }
      book.receivers[hook.receiver, default: 0] += 1
      return true
    }
  }

  /// It is back.
  func leave(_ hook: Hook) {
    book.withLock { book in
      guard book.hooks.remove(hook.id) != nil else { return }
      book.receivers[hook.receiver, default: 1] -= 1
      if book.receivers[hook.receiver] == 0 { book.receivers[hook.receiver] = nil }
    }
  }
}
