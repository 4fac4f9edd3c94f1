internal import Synchronization

/// The last bytes of a stream, kept while it is read and asked for once it has ended.
final class OutputTail: Sendable {
  private let limit: Int
  private let bytes = Mutex<[UInt8]>([])

  init(limit: Int = 4096) {
    self.limit = limit
  }

  func append(_ more: [UInt8]) {
    bytes.withLock { kept in
      kept += more
      if kept.count > limit { kept.removeFirst(kept.count - limit) }
    }
  }

  /// What is kept, without white space at its ends; broken UTF-8 is repaired.
  var text: String {
    let text = String(decoding: bytes.withLock { $0 }, as: UTF8.self)
    let trimmed = text.drop(while: \.isWhitespace)
    return String(trimmed.reversed().drop(while: \.isWhitespace).reversed())
  }
}
