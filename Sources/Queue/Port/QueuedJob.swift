package import Core

/// Something to render, as a queue carries it from who accepts it to who renders it.
package struct QueuedJob: Hashable, Sendable, Codable {
  /// Which of the waiting jobs go first.
  package enum Priority: String, Hashable, Sendable, Codable, CaseIterable {
    case high, normal, low
  }

  /// The form of `payload` that this version writes and reads.
  package static let currentSchema = 1

  /// Lower-case letters, digits and hyphens, as renders have it: at most 64 characters.
  package var id: String
  /// Whose it is: turns go round among owners where the queue can do that.
  package var owner: String
  package var priority: Priority
  /// What a worker has to have: words like `phone` or `clock-virtual`, at most 8 of at most 40 characters.
  package var needs: Set<String>
  /// What the creative is known by, to count the deaths that it costs.
  package var content: String
  /// The form of `payload`; a worker that doesn't know it never gets the job.
  package var schema: Int
  /// What is to be done, for who renders it: at most 200,000 bytes.
  package var payload: String
  /// When it was accepted, in milliseconds since 1970.
  package var created: Int64
  /// Whether servers bring it to its end; otherwise only who sent it waits for it.
  package var isServed = true

  package init(
    id: String, owner: String, priority: Priority = .normal, needs: Set<String> = [], content: String,
    schema: Int = currentSchema, payload: String, created: Int64
  ) {
    (self.id, self.owner, self.priority, self.needs) = (id, owner, priority, needs)
    (self.content, self.schema, self.payload, self.created) = (content, schema, payload, created)
  }

  /// Refuses what no queue can carry.
  package func check() throws(Fault) {
    let words = needs.sorted() + [id]
    guard words.allSatisfy(Self.isWord), id.utf8.count <= 64, needs.allSatisfy({ $0.utf8.count <= 40 }) else {
      throw .request("job-invalid", "\(words.joined(separator: ", ")): not all are words of a-z, 0-9 and hyphens")
    }
    guard needs.count <= 8, (1...999).contains(schema) else {
      throw .request("job-invalid", "the job \(id) needs more than 8 things, or has no schema from 1 to 999")
    }
    guard payload.utf8.count <= 200_000, content.utf8.count <= 1000, owner.utf8.count <= 1000 else {
      throw .request("job-invalid", "what is to be done for the job \(id) is too long")
    }
  }

  /// Whether a text may be a job's id.
  static func isID(_ text: String) -> Bool { text.utf8.count <= 64 && isWord(text) }

  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 == 45 || (48...57).contains($0) || (97...122).contains($0) }
  }
}

/// What a worker can do: jobs that need no more are for it.
package struct Capabilities: Hashable, Sendable {
  package var words: Set<String>
  /// The forms of payloads that it reads.
  package var schemas: Set<Int>

  package init(_ words: Set<String>, schemas: Set<Int> = [QueuedJob.currentSchema]) {
    (self.words, self.schemas) = (words, schemas)
  }

  /// Whether a job of this kind is for it.
  package func covers(_ kind: JobKind) -> Bool { schemas.contains(kind.schema) && kind.needs.isSubset(of: words) }
}

/// What jobs have in common that the same workers can do; its text stands in subjects and columns.
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

/// What makes a request the same as an earlier one.
package struct JobKey: Hashable, Sendable {
  package let owner: String
  package let key: String
  /// A hash of everything that was asked for.
  package let fingerprint: String

  package init(owner: String, key: String, fingerprint: String) {
    (self.owner, self.key, self.fingerprint) = (owner, key, fingerprint)
  }
}
