internal import GRDB
package import Jobs

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
    if let code = row["code"] as String? {
      fault = Fault(Fault.Blame(rawValue: row["blame"] ?? "") ?? .engine, code, row["message"] ?? "")
    }
  }
}
