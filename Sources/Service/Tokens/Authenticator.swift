internal import Core
internal import Synchronization

/// Finds the callers of tokens, and limits their request rates.
final class Authenticator: Sendable {
  private struct Book {
    var stamp: [Int64]?
    var callers: [String: Caller] = [:]
    var buckets: [String: TokenBucket] = [:]
  }

  private let file: TokenFile?
  private let book = Mutex(Book())

  /// Reads the tokens; without a file every caller has all scopes.
  init(_ file: TokenFile?) throws(Fault) {
    self.file = file
    letsNobodyIn = try file?.read().isEmpty ?? false
  }

  /// True if the file had no token at the start, for example because its name is mistyped.
  let letsNobodyIn: Bool

  var asksForTokens: Bool { file != nil }

  /// The caller of a token; nil for an unknown one. A changed file is read again.
  func caller(_ token: String) -> Caller? { caller(hash: Token.hash(token)) }

  /// The caller of a token by its hash.
  private func caller(hash: String) -> Caller? { caller { $0.callers[hash] } }

  /// The caller whose token's hash fulfils a condition; nil if there is none.
  func caller(where isWanted: (_ hash: String) -> Bool) -> Caller? {
    caller { $0.callers.first { isWanted($0.key) }?.value }
  }

  private func caller(_ find: (Book) -> Caller?) -> Caller? {
    guard let file else { return .local }
    return book.withLock { book in
      let stamp = file.stamp
      // While it can't be read the tokens known before stay good.
      if stamp != book.stamp, let entries = try? file.read() {
        book.stamp = stamp
        book.callers = Dictionary(entries.map { ($0.sha256, Caller($0)) }, uniquingKeysWith: { $1 })
      }
      return find(book)
    }
  }

  /// Counts a request towards the caller's rate; nil if it is allowed, else the seconds until it will be.
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

/// The sender of a request, with its permissions.
package struct Caller: Hashable, Sendable {
  package let name: String
  private let scopes: Set<Scope>
  package var rate: Int?
  package var concurrency: Int?

  /// The caller with all scopes for requests to a server without tokens.
  package static let local = Caller(name: "local", scopes: Set(Scope.allCases))

  package init(name: String, scopes: Set<Scope>, rate: Int? = nil, concurrency: Int? = nil) {
    (self.name, self.scopes, self.rate, self.concurrency) = (name, scopes, rate, concurrency)
  }

  /// Indicates if the caller has a scope, directly or through a wider one.
  package func may(_ scope: Scope) -> Bool {
    scopes.contains(scope) || scopes.contains(.admin) || (scope == .read && scopes.contains(.readAll))
  }

  /// Indicates if the caller may see the renders of the token with this name.
  package func maySee(of owner: String) -> Bool { owner == name && may(.read) || may(.readAll) }

  /// The only owner whose renders the caller may see; nil for all owners.
  package var sight: String? { may(.readAll) ? nil : name }
}

/// Limit of requests per minute, which also is the largest burst.
package struct TokenBucket: Hashable, Sendable {
  private let perMinute: Int
  private var level: Double
  private var timestamp: Int64

  package init(perMinute: Int, at timestamp: Int64) {
    (self.perMinute, level, self.timestamp) = (perMinute, Double(perMinute), timestamp)
  }

  /// Takes one token; nil if there was one, else the whole seconds until there is one.
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
