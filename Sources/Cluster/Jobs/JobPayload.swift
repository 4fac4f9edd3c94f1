package import Core
internal import Device
internal import FoundationEssentials
package import RenderModel
internal import Scheduling

/// The payload of a job in a queue: the task for the worker that gets it.
package struct JobPayload: Sendable, Codable {
  /// A render that a server accepted.
  package struct Served: Sendable, Codable {
    let name: String
    package let content: String
    let created: Int64
    /// The request as the store keeps it, in JSON.
    let request: String
    /// The creative's file; its contents have the hash `content`. Nil for an address.
    package let file: String?
    /// Time after which it isn't started any more, in milliseconds since 1970.
    let deadline: Int64
    /// The hash of the recording that answers requests; nil for none.
    package var recording: String?

    package init(
      name: String, content: String, created: Int64, request: String, file: String?, deadline: Int64,
      recording: String? = nil
    ) {
      (self.name, self.content, self.created, self.request) = (name, content, created, request)
      (self.file, self.deadline, self.recording) = (file, deadline, recording)
    }
  }
  /// One job of a batch that was sent by a command.
  package struct Batched: Sendable, Codable {
    package var job: RenderJob
    /// The hash of the creative's file, or of its folder as a parcel; nil for an address.
    package let creative: String?
    /// The file's or folder's name.
    let file: String?
    /// The form in which the creative was sent.
    var form = Form.file

    enum Form: String, Sendable, Codable {
      case file
      /// A folder, as a parcel.
      case folder
      /// A file that may refer to others beside it: their folder, as a parcel.
      case fileInFolder
    }
  }

  package var served: Served?
  package var batched: Batched?
  /// The trace that it belongs to, as W3C's Trace Context writes it.
  package var traceparent: String?

  package init(served: Served? = nil, batched: Batched? = nil, traceparent: String? = nil) {
    (self.served, self.batched, self.traceparent) = (served, batched, traceparent)
  }

  package var text: String? { JSONText.plain(self) }

  /// Reads the payload of a job, and validates it because any user of the queue may have written it.
  package static func read(_ job: QueuedJob) throws(Fault) -> JobPayload {
    guard let order = try? JSONDecoder().decode(JobPayload.self, from: Data(job.payload.utf8)),
      (order.served == nil) != (order.batched == nil), order.isPlain
    else { throw .request("job-unreadable", "the payload of the job \(job.id) can't be read") }
    return order
  }

  /// True if its names are safe as parts of paths.
  private var isPlain: Bool {
    let names = [served?.name, served?.file, batched?.file].compactMap(\.self)
    let hashes = [served?.recording, batched?.creative].compactMap(\.self)
    return names.allSatisfy { AbsolutePath.isPlainName($0) } && hashes.allSatisfy(ContentHash.isOne)
      && (batched.map { AbsolutePath.isPlain($0.job.creative.name) } ?? true)
      && (served?.file == nil || served.map { ContentHash.isOne($0.content) } == true)
  }
}

extension RenderJob {
  /// Capabilities that a worker needs for the job.
  package var needs: Set<String> {
    var needs: Set<String> = ["clock-\(options.clock.rawValue)"]
    if options.compositing == .always { needs.insert("compositor") }
    return needs
  }
}

/// The outcome of a job, for the server that waits for it.
package struct JobResult: Sendable, Codable {
  /// The hash of the result's files as a parcel; nil when there are none.
  package var parcel: String?
  /// Summary for lists, as JSON.
  package var summary: String?
  /// Seconds that the rendering took.
  package var seconds: Double
  package var attempts: Int
  /// Names of the parts that it shows, which are enough if there is no baseline; nil if it didn't complete.
  package var parts: [String]?

  package init(seconds: Double = 0, attempts: Int = 1) { (self.seconds, self.attempts) = (seconds, attempts) }

  package var text: String { JSONText.plain(self) ?? "{}" }

  /// The outcome with numbers and names within plausible bounds; an unreadable summary is dropped.
  package var bounded: JobResult {
    var bounded = self
    bounded.seconds = seconds.isFinite ? min(max(seconds, 0), 86_400) : 0
    bounded.attempts = min(max(attempts, 1), 1000)
    bounded.summary = RenderSummary.read(summary).flatMap { $0.isSound ? $0.text : nil }
    bounded.parts = parts.map { $0.prefix(2000).filter { (1...500).contains($0.utf8.count) } }
    return bounded
  }

  package static func read(_ text: String?) -> JobResult? {
    text.flatMap { $0.utf8.count < 500_000 ? try? JSONDecoder().decode(JobResult.self, from: Data($0.utf8)) : nil }
  }
}
