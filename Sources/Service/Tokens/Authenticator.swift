internal import Core
internal import Synchronization

/// Knows who a token belongs to, and how often each of them has come of late.
final class Authenticator: Sendable {
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
    letsNobodyIn = try file?.read().isEmpty ?? false
  }

  /// Whether the file had no token at the start, as a mistyped name of one hasn't.
  let letsNobodyIn: Bool

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
  func pause(for caller: Caller, at timestamp: Int64) -> Int? {
    guard let rate = caller.rate else { return nil }
    return book.withLock { book in
      var bucket = book.buckets[caller.name] ?? TokenBucket(perMinute: rate, at: timestamp)
      defer { book.buckets[caller.name] = bucket }
      return bucket.takeToken(at: timestamp)
    }
  }
}

extension Caller {
  fileprivate init(_ entry: TokenEntry) {
    self.init(name: entry.name, scopes: Set(entry.scopes), rate: entry.rate, concurrency: entry.concurrency)
  }
}

/// Who sent a request.
package struct Caller: Hashable, Sendable {
  package let name: String
  private let scopes: Set<Scope>
  package var rate: Int?
  package var concurrency: Int?

  /// Everybody on this machine, where no tokens are asked for.
  package static let local = Caller(name: "local", scopes: Set(Scope.allCases))

  package init(name: String, scopes: Set<Scope>, rate: Int? = nil, concurrency: Int? = nil) {
    (self.name, self.scopes, self.rate, self.concurrency) = (name, scopes, rate, concurrency)
  }

  /// Whether it may do what a scope stands for.
  package func may(_ scope: Scope) -> Bool {
    scopes.contains(scope) || scopes.contains(.admin) || (scope == .read && scopes.contains(.readAll))
  }

  /// Whether it may see the renders of a token of this name.
  package func maySee(of owner: String) -> Bool { owner == name && may(.read) || may(.readAll) }

  /// Whose renders it may see; nil for everybody's.
  package var sight: String? { may(.readAll) ? nil : name }
}

/// So many requests a minute, in bursts of no more than that.
package struct TokenBucket: Hashable, Sendable {
  private let perMinute: Int
  private var level: Double
  private var timestamp: Int64

  package init(perMinute: Int, at timestamp: Int64) {
    (self.perMinute, level, self.timestamp) = (perMinute, Double(perMinute), timestamp)
  }

  /// Takes one out; nil when it could, else the whole seconds until it can.
  package mutating func takeToken(at now: Int64) -> Int? {
    let perMillisecond = Double(perMinute) / 60_000
    level = min(Double(perMinute), level + Double(max(0, now - timestamp)) * perMillisecond)
    timestamp = max(timestamp, now)
    guard level < 1 else {
      level -= 1
      return nil
    }
    return Bounded.int((1 - level) / perMillisecond / 1000, in: 1...86_400, rounding: .up)
  }
}
