package import Core
internal import GRDB
package import RenderModel
internal import Scheduling

/// One render as a row of the database.
package struct RenderRow: Hashable, Sendable {
  /// Number that orders renders by their acceptance.
  package var number: Int64
  package var id: String
  package var status: RenderStatus
  /// The display name of the creative.
  package var name: String
  /// Identity of the creative, by which it is recognised: its SHA-256, or that of its address.
  package var content: String
  /// The request as JSON, without the creative itself.
  package var request: String
  /// The name of the token that requested it.
  package var owner: String
  /// Times in milliseconds since 1970; nil for events that haven't occurred.
  package var created: Int64
  package var started: Int64?
  package var finished: Int64?
  /// Number of attempts that workers have begun.
  package var attempts: Int
  /// The fault with which it ended; nil if there is none.
  package var fault: Fault?
  /// Summary of the outcome for lists, as JSON; nil before the end.
  package var summary: String?
  /// Time of its removal in milliseconds since 1970; nil while it is visible.
  package var removed: Int64?
  /// The creative's file name and the hash of the result's parcel, if servers share contents.
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

/// A render to be accepted.
package struct NewRender: Sendable, Codable {
  /// Key of a request, by which a repetition is recognised.
  package struct Idempotency: Hashable, Sendable, Codable {
    package let key: String
    /// Hash of the complete request.
    package let fingerprint: String

    package init(key: String, fingerprint: String) {
      (self.key, self.fingerprint) = (key, fingerprint)
    }
  }
  /// Outcome of the acceptance.
  package enum Acceptance: Hashable, Sendable {
    case accepted(RenderRow)
    /// The same request with the same key was accepted before.
    case known(RenderRow)
    /// The key was used for a different request.
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
  /// Name of the creative's file, which servers and workers fetch from the shared contents; nil for an address or a
  /// single server.
  package var file: String?
  /// Time after which it isn't started any more, in milliseconds since 1970; nil if a single server checks that itself.
  package var deadline: Int64?

  package init(
    id: String, name: String, content: String, request: String, owner: String, created: Int64,
    idempotency: Idempotency? = nil, labels: [String: String] = [:]
  ) {
    (self.id, self.name, self.content, self.request) = (id, name, content, request)
    (self.owner, self.created, self.idempotency, self.labels) = (owner, created, idempotency, labels)
  }
}

/// The outcome of a render, stored together with its webhook.
package struct RenderCompletion: Hashable, Sendable, Codable {
  /// A webhook message.
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
  /// The comparison with its baseline; nil if there is nothing to compare.
  package var review: Review?
  /// The hash of its files' parcel in the shared contents; nil if there is none.
  package var parcel: String?
  /// Seconds of rendering, reported by its worker; nil if a server ended it.
  package var seconds: Double?

  package init(
    status: RenderStatus, fault: Fault? = nil, summary: String? = nil, finished: Int64, hook: Message? = nil,
    review: Review? = nil
  ) {
    (self.status, self.fault, self.summary) = (status, fault, summary)
    (self.finished, self.hook, self.review) = (finished, hook, review)
  }
}

/// Conditions for the renders of a list.
package struct RenderFilter: Hashable, Sendable {
  package var statuses: [RenderStatus]
  /// Only renders requested by this token; nil for all.
  package var owner: String?
  /// Only renders accepted at or after this time, in milliseconds since 1970.
  package var since: Int64?
  /// Only renders accepted before this time.
  package var until: Int64?
  /// Text contained in the creative's name, the fault's code or the id.
  package var text: String?
  /// Required labels, by name and value.
  package var labels: [String: String]

  package init(
    statuses: [RenderStatus] = [], owner: String? = nil, since: Int64? = nil, until: Int64? = nil, text: String? = nil,
    labels: [String: String] = [:]
  ) {
    (self.statuses, self.owner, self.since) = (statuses, owner, since)
    (self.until, self.text, self.labels) = (until, text, labels)
  }
}

extension RenderWork {
  /// Reads a render from the database.
  init(_ row: RenderRow, folder: RenderFolder, reach: NetworkPolicy) throws(Fault) {
    try self.init(
      id: row.id, content: row.content, created: row.created, request: row.request, folder: folder, reach: reach)
  }
}
