package import Core

/// A render as a queue carries it from the process that accepts it to the worker that renders it.
package struct QueuedJob: Hashable, Sendable, Codable {
  /// Order among waiting jobs: high before normal before low.
  package enum Priority: String, Hashable, Sendable, Codable, CaseIterable {
    case high, normal, low
  }
  /// Party that processes the ending of a job.
  package enum Completion: Hashable, Sendable {
    /// Servers, which accepted the render: they store its outcome and notify clients.
    case byServer
    /// The sender of a batch, which waits for the results itself.
    case bySender
  }
  private enum CodingKeys: String, CodingKey {
    case id, owner, priority, needs, content, schema, payload, created
    case completion = "isServed"
  }

  /// Schema of `payload` that this version writes and reads.
  package static let currentSchema = 1

  /// Id of the render: at most 64 lower-case letters, digits and hyphens.
  package var id: String
  /// Owner of the job; queues that can do so alternate among owners.
  package var owner: String
  package var priority: Priority
  /// Capabilities that a worker must have: words like `phone` or `clock-virtual`, at most 8 of at most 40 characters.
  package var needs: Set<String>
  /// Identity of the creative, under which the deaths that it causes are counted.
  package var content: String
  /// Schema of `payload`; a worker that doesn't know it never gets the job.
  package var schema: Int
  /// Instructions for the worker that renders the job: at most 200,000 bytes.
  package var payload: String
  /// Time of acceptance, in milliseconds since 1970.
  package var created: Int64
  /// Party that processes the job's ending.
  package var completion = Completion.byServer

  package init(
    id: String, owner: String, priority: Priority = .normal, needs: Set<String> = [], content: String,
    schema: Int = currentSchema, payload: String, created: Int64
  ) {
    (self.id, self.owner, self.priority, self.needs) = (id, owner, priority, needs)
    (self.content, self.schema, self.payload, self.created) = (content, schema, payload, created)
  }

  /// Throws for a job that no queue can carry: malformed words, too many needs, a schema outside 1 to 999, or texts too
  /// long.
  package func check() throws(Fault) {
    let words = needs.sorted() + [id]
    guard words.allSatisfy(Self.isWord), id.utf8.count <= 64, needs.allSatisfy({ $0.utf8.count <= 40 }) else {
      throw .request("job-invalid", "\(words.joined(separator: ", ")): use only words of a-z, 0-9 and hyphens")
    }
    guard needs.count <= 8, (1...999).contains(schema) else {
      throw .request("job-invalid", "the job \(id) has more than 8 requirements, or its schema isn't from 1 to 999")
    }
    guard payload.utf8.count <= 200_000, content.utf8.count <= 1000, owner.utf8.count <= 1000 else {
      throw .request("job-invalid", "the payload of the job \(id) is too long")
    }
  }

  /// Indicates if a text is valid as a job's id.
  static func isID(_ text: String) -> Bool { text.utf8.count <= 64 && isWord(text) }

  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 == 45 || (48...57).contains($0) || (97...122).contains($0) }
  }
}

extension QueuedJob.Completion: Codable {
  /// Reads the value from its stored form: true if servers process the ending.
  package init(from decoder: any Decoder) throws {
    self = try decoder.singleValueContainer().decode(Bool.self) ? .byServer : .bySender
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self == .byServer)
  }
}

/// Capabilities of a worker; it can do the jobs that need no others.
package struct Capabilities: Hashable, Sendable {
  package var words: Set<String>
  /// Schemas of the payloads that it reads.
  package var schemas: Set<Int>

  package init(_ words: Set<String>, schemas: Set<Int> = [QueuedJob.currentSchema]) {
    (self.words, self.schemas) = (words, schemas)
  }

  /// Indicates if the worker can do jobs of this kind.
  package func covers(_ kind: JobKind) -> Bool { schemas.contains(kind.schema) && kind.needs.isSubset(of: words) }
}

/// Group of jobs that the same workers can do; its text is used in subjects and columns.
package struct JobKind: Hashable, Sendable, Comparable {
  package let schema: Int
  package let needs: Set<String>

  package init(of job: QueuedJob) { (schema, needs) = (job.schema, job.needs) }

  /// Reads `v1+clock-virtual+phone`; nil for anything else.
  package init?(_ text: String) {
    let words = text.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    guard let first = words.first, first.hasPrefix("v"), let schema = Int(first.dropFirst()) else { return nil }
    (self.schema, needs) = (schema, Set(words.dropFirst()))
  }

  package var text: String { (["v\(schema)"] + needs.sorted()).joined(separator: "+") }

  package static func < (one: JobKind, other: JobKind) -> Bool { one.text < other.text }
}

/// Idempotency key that identifies repeated requests of an owner.
package struct JobKey: Hashable, Sendable {
  package let owner: String
  package let key: String
  /// Hash of the whole request.
  package let fingerprint: String

  package init(owner: String, key: String, fingerprint: String) {
    (self.owner, self.key, self.fingerprint) = (owner, key, fingerprint)
  }

  /// Fault for a key that was used for another request.
  static let reused = Fault.request("idempotency-key-reused", "this Idempotency-Key was used for another request")
}
