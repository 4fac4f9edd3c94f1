package import Core
internal import FoundationEssentials
package import RenderModel

/// A request of a worker or a sender to the servers of a queue.
package enum QueueRequest: Hashable, Sendable, Codable {
  // Of workers.
  /// Asks for a job that these capabilities cover.
  case lease(capabilities: [String], schemas: [Int])
  case heartbeat(LeaseTicket)
  /// Reports that rendering has begun.
  case started(LeaseTicket)
  /// Reports the phase of a render to its listeners; has no answer.
  case progress(LeaseTicket, phase: String)
  /// Reports that a process died under a job that is tried again; has no answer.
  case retrying(LeaseTicket, reason: String)
  /// Counts a death against a job's creative.
  case died(LeaseTicket, reason: String)
  /// Returns a job to the queue; `counts` indicates if the attempt counts.
  case release(LeaseTicket, counts: Bool)
  /// Ends a job: `result` is for the process that accepted it, `files` are those of the result, `fault` is nil if it
  /// completed.
  case end(LeaseTicket, fault: Fault?, result: String, files: FileReceipt?)
  case show(WorkerHeartbeat)
  case leave
  /// Asks for a file that a job needs.
  case input(LeaseTicket, JobInput)

  // Of senders.
  /// Sends a job; `creative` is the receipt of its file, nil for an address.
  case enqueue(id: String, payload: String, creative: FileReceipt?)
  /// Asks for the state of a job.
  case look(id: String)
  case cancel(id: String)
  /// Asks for the files of a job's result.
  case result(id: String)
  /// Reports that a job's result is fetched, so that servers needn't keep it.
  case fetched(id: String)

  // Of both, about files.
  /// Begins to send a file, of a worker's job or of a sender; the request's body is its first piece.
  case keep(size: Int, sha256: String, of: LeaseTicket?)
  /// Sends a further piece to the server that has the first.
  case append(transfer: String, offset: Int)
  /// Asks the server that gave the first piece for a further one.
  case piece(transfer: String, offset: Int)
}

/// The files that a job may need.
package enum JobInput: String, Hashable, Sendable, Codable { case creative, recording }

/// Temporary right to a job, as its worker presents it to servers.
package struct LeaseTicket: Hashable, Sendable, Codable {
  package let id: String
  package let attempt: Int
  /// Secret that servers made for this lease.
  package let ticket: String
  /// Sender of the job; `isServed` indicates if servers accepted it.
  package let owner: String
  package let isServed: Bool
  /// Signature of the servers over all these values and the worker.
  package var proof: String

  package init(_ record: JobRecord) {
    (id, attempt, ticket) = (record.job.id, record.attempt, record.ticket)
    (owner, isServed, proof) = (record.job.owner, record.job.completion == .byServer, "")
  }

  /// Returns the text that servers sign for a worker.
  package func text(for worker: String) -> String {
    [worker, id, "\(attempt)", ticket, owner, "\(isServed)"].joined(separator: "\n")
  }
}

/// A job that a worker was given.
package struct LeaseGrant: Hashable, Sendable, Codable {
  package let job: QueuedJob
  package let ticket: LeaseTicket

  package init(job: QueuedJob, ticket: LeaseTicket) { (self.job, self.ticket) = (job, ticket) }

  package var attempt: Int { ticket.attempt }
}

/// Receipt of the servers for a file that its holder has sent and that they store.
package struct FileReceipt: Hashable, Sendable, Codable {
  package let sha256: String
  package let size: Int
  package var proof: String

  package init(sha256: String, size: Int, proof: String = "") {
    (self.sha256, self.size, self.proof) = (sha256, size, proof)
  }

  /// Returns the text that servers sign for a user.
  package func text(for caller: QueueCaller) -> String {
    [caller.role.rawValue, caller.user, sha256, "\(size)"].joined(separator: "\n")
  }
}

/// Transfer of a file, under way at one server.
package struct FileTransfer: Hashable, Sendable, Codable {
  package let id: String
  /// The server that has it, as subjects name it.
  package let server: String

  package init(id: String, server: String) { (self.id, self.server) = (id, server) }
}

/// An answer of a server.
package enum QueueReply: Hashable, Sendable, Codable {
  case done
  case failed(Fault)
  /// A job, or nil where none waits.
  case lease(LeaseGrant?)
  /// All deaths that count against a job's creative.
  case deaths(Int)
  /// The state of a job; nil for one that the sender doesn't have.
  case job(SentJob?)
  /// A file's size; its first piece is the answer's body, further ones come by the transfer.
  case file(size: Int, transfer: FileTransfer?)
  /// The server wants the remaining pieces of this transfer.
  case wanted(FileTransfer)
  case kept(FileReceipt)
}

/// A job as its sender sees it.
package struct SentJob: Hashable, Sendable, Codable {
  package let status: RenderStatus
  package let attempt: Int
  package let fault: Fault?
  /// Indicates if the result has files.
  package let hasFiles: Bool

  package init(status: RenderStatus, attempt: Int, fault: Fault?, hasFiles: Bool) {
    (self.status, self.attempt, self.fault, self.hasFiles) = (status, attempt, fault, hasFiles)
  }
}

/// Wire format of requests and answers: a line of JSON and bytes after it.
package enum QueueMessage {
  /// Number of bytes of a file in one message; a NATS server accepts a mebibyte.
  package static let piece = 262_144
  /// Maximum number of bytes of the line.
  private static let longestLine = 900_000

  package static func bytes(_ head: some Encodable, _ body: [UInt8] = []) throws(Fault) -> [UInt8] {
    guard let line = try? JSONText.bytes(head), line.count <= longestLine else {
      throw .request("queue-request-invalid", "a request is too long, or can't be encoded as JSON")
    }
    return line + [10] + body
  }

  /// Reads the head and the body; nil for bytes that aren't such a message.
  package static func read<Head: Decodable>(_: Head.Type, _ bytes: [UInt8]) -> (head: Head, body: [UInt8])? {
    guard let end = bytes.prefix(longestLine + 1).firstIndex(of: 10),
      let head = try? JSONDecoder().decode(Head.self, from: Data(bytes[..<end]))
    else { return nil }
    return (head, Array(bytes[(end + 1)...]))
  }
}
