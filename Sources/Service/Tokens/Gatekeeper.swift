internal import Jobs
internal import Synchronization

/// Knows who a token belongs to, and how often each of them has come of late.
final class Gatekeeper: Sendable {
  private struct Book {
    var stamp: [Int64]?
    var callers: [String: Caller] = [:]
    var buckets: [String: TokenBucket] = [:]
  }

  private let file: TokenFile?
  private let book = Mutex(Book())

  /// Without a file everybody may do everything.
  init(_ file: TokenFile?) throws(Fault) {
    self.file = file
    _ = try file?.read()
  }

  var asksForTokens: Bool { file != nil }

  /// Whose a token is; nil for nobody's. A file that was changed is read again.
  func caller(_ token: String) -> Caller? { caller(hash: Token.hash(token)) }

  /// The same by what is kept of a token.
  func caller(hash: String) -> Caller? {
    guard let file else { return .local }
    return book.withLock { book in
      let stamp = file.stamp
      // While it can't be read the tokens known before stay good.
      if stamp != book.stamp, let entries = try? file.read() {
        book.stamp = stamp
        book.callers = Dictionary(entries.map { ($0.sha256, Caller($0)) }, uniquingKeysWith: { $1 })
      }
      return book.callers[hash]
    }
  }

  /// Lets a caller through as often as its token may; nil when it may now, else the seconds until it may.
  func pause(for caller: Caller, at instant: Int64) -> Int? {
    guard let rate = caller.rate else { return nil }
    return book.withLock { book in
      var bucket = book.buckets[caller.name] ?? TokenBucket(perMinute: rate, at: instant)
      defer { book.buckets[caller.name] = bucket }
      return bucket.take(at: instant)
    }
  }
}

extension Caller {
  fileprivate init(_ entry: TokenEntry) {
    self.init(name: entry.name, scopes: Set(entry.scopes), rate: entry.rate, concurrency: entry.concurrency)
  }
}
