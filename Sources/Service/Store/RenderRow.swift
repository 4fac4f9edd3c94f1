package import Core
internal import GRDB

/// One render as the database has it.
package struct RenderRow: Hashable, Sendable {
  /// Orders renders as they were accepted.
  package var number: Int64
  package var id: String
  package var status: RenderStatus
  /// What people call the creative.
  package var name: String
  /// What the creative is known by when it has to be recognised: its SHA-256, or its address.
  package var content: String
  /// The request as JSON, without the creative itself.
  package var request: String
  /// Who asked for it: a token's name.
  package var owner: String
  /// Instants in milliseconds since 1970.
  package var created: Int64
  package var started: Int64?
  package var finished: Int64?
  /// How often a worker took it up.
  package var attempts: Int
  /// Why it didn't complete.
  package var fault: Fault?
  /// What lists show of the outcome, as JSON.
  package var summary: String?
  /// When it was removed; nil while it is to be seen.
  package var removed: Int64?
  /// The creative's file and the hash of the result's, where servers share contents.
  package var file: String?
  package var parcel: String?

  init(_ row: Row) {
    number = row["number"]
    id = row["id"]
    status = RenderStatus(rawValue: row["status"]) ?? .failed
    name = row["name"]
    content = row["content"]
    request = row["request"]
    owner = row["owner"]
    created = row["created"]
    started = row["started"]
    finished = row["finished"]
    attempts = row["attempts"]
    summary = row["summary"]
    removed = row["removed"]
    (file, parcel) = (row["file"], row["parcel"])
    if let code = row["code"] as String? {
      fault = Fault(Fault.Origin(rawValue: row["blame"] ?? "") ?? .engine, code, row["message"] ?? "")
    }
  }
}

/// Where a render stands.
package enum RenderStatus: String, Sendable, Codable, CaseIterable {
  case queued
  case running
  /// Rendered to its end; what checks say of it is another matter.
  case completed
  /// It couldn't be rendered to its end; the fault says why.
  case failed
  case cancelled
  /// Its creative killed too many workers to be tried again.
  case quarantined

  /// Whether nothing will change any more.
  package var isFinal: Bool { self != .queued && self != .running }
}

/// A render that is to be accepted.
package struct NewRender: Sendable, Codable {
  /// What makes a request the same as an earlier one.
  package struct Idempotency: Hashable, Sendable, Codable {
    package let key: String
    /// A hash of everything that was asked for.
    package let fingerprint: String

    package init(key: String, fingerprint: String) {
      (self.key, self.fingerprint) = (key, fingerprint)
    }
  }
  /// What becomes of it.
  package enum Acceptance: Hashable, Sendable {
    case accepted(RenderRow)
    /// The same request under the same key was accepted before.
    case known(RenderRow)
    /// The key stands for another request.
    case conflict
  }

  package var id: String
  package var name: String
  package var content: String
  package var request: String
  package var owner: String
  package var created: Int64
  package var idempotency: Idempotency?
  package var labels: [String: String]
  /// The creative's file, by which servers and workers find it among the contents that they share.
  package var file: String?
  /// After which instant it isn't started any more, in milliseconds since 1970; nil where one server sees to that itself.
  package var deadline: Int64?

  package init(
    id: String, name: String, content: String, request: String, owner: String, created: Int64,
    idempotency: Idempotency? = nil, labels: [String: String] = [:]
  ) {
    (self.id, self.name, self.content, self.request) = (id, name, content, request)
    (self.owner, self.created, self.idempotency, self.labels) = (owner, created, idempotency, labels)
  }
}

/// How a render ended, to be written down together with what has to be told of it.
package struct RenderCompletion: Hashable, Sendable, Codable {
  /// What an address is to be told.
  package struct Message: Hashable, Sendable, Codable {
    package let id: String
    package let address: String
    /// The host of the address.
    package let receiver: String
    package let body: String

    package init(id: String, address: String, receiver: String, body: String) {
      (self.id, self.address, self.receiver, self.body) = (id, address, receiver, body)
    }
  }

  package var status: RenderStatus
  package var fault: Fault?
  package var summary: String?
  package var finished: Int64
  package var hook: Message?
  /// How it compares with its baseline; nil where there is nothing to compare.
  package var review: Review?
  /// The hash of its files, packed as one, among the contents that servers share.
  package var parcel: String?
  /// Seconds that it was rendered, where its worker says how it ended; nil where a server does.
  package var seconds: Double?

  package init(
    status: RenderStatus, fault: Fault? = nil, summary: String? = nil, finished: Int64, hook: Message? = nil,
    review: Review? = nil
  ) {
    (self.status, self.fault, self.summary) = (status, fault, summary)
    (self.finished, self.hook, self.review) = (finished, hook, review)
  }
}

/// Which renders a list shows.
package struct RenderFilter: Hashable, Sendable {
  package var statuses: [RenderStatus]
  /// Only what this token asked for; nil for everybody's.
  package var owner: String?
  /// Milliseconds since 1970; accepted at or after.
  package var since: Int64?
  /// Accepted before.
  package var until: Int64?
  /// Words that the creative's name, the code or the id hold.
  package var text: String?
  /// Values that labels of these names have.
  package var labels: [String: String]

  package init(
    statuses: [RenderStatus] = [], owner: String? = nil, since: Int64? = nil, until: Int64? = nil, text: String? = nil,
    labels: [String: String] = [:]
  ) {
    (self.statuses, self.owner, self.since) = (statuses, owner, since)
    (self.until, self.text, self.labels) = (until, text, labels)
  }
}

/// What renders and their like are known by: sorted by time, and not to be guessed.
package enum RenderID {
  /// Digits and letters that aren't mistaken for others, in the order of their values.
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")

  /// Ten characters of the instant in milliseconds, then sixteen of chance.
  package static func make(at timestamp: Int64) -> String {
    var generator = SystemRandomNumberGenerator()
    let time = (0..<10).reversed().map { digits[Int(timestamp >> (Int64($0) * 5) & 31)] }
    let chance = (0..<16).map { _ in digits[Int.random(in: 0..<32, using: &generator)] }
    return String(time + chance)
  }

  /// Whether a text could be one, and so may become part of a path.
  package static func isOne(_ text: String) -> Bool {
    text.count == 26 && text.allSatisfy { digits.contains($0) }
  }
}
