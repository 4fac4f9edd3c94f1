internal import Core
internal import Device
internal import FoundationEssentials
internal import Queue
internal import RenderModel

/// What a job of a queue says is to be done, for whichever worker gets it.
struct FarmOrder: Sendable, Codable {
  /// What a server accepted.
  struct Served: Sendable, Codable {
    let name: String
    let content: String
    let created: Int64
    /// As the store keeps it.
    let request: String
    /// The creative's file; its contents have the hash `content`. Nil for an address.
    let file: String?
    /// After which instant it isn't started any more, in milliseconds since 1970.
    let deadline: Int64
    /// The contents of the recording that answers; nil for none.
    var recording: String?
    /// Whether its worker says how it ended, since no server has anything to add.
    var isEndedByWorker: Bool?
  }
  /// One job of a batch that somebody sent from elsewhere.
  struct Batched: Sendable, Codable {
    var job: RenderJob
    /// The contents of the creative's file, or of its folder as a parcel; nil for an address.
    let creative: String?
    /// The file's or folder's name.
    let file: String?
    /// What of it there is.
    var form = Form.file

    enum Form: String, Sendable, Codable {
      case file
      /// A folder, as a parcel.
      case folder
      /// A file that may name others beside it: their folder, as a parcel.
      case fileInFolder
    }
  }

  var served: Served?
  var batched: Batched?
  /// What it belongs to in traces, as W3C's Trace Context writes it.
  var traceparent: String?

  var text: String? { JSONText.plain(self) }

  /// Reads what a queue carried, which anybody with an account may have put there.
  static func read(_ job: QueuedJob) throws(Fault) -> FarmOrder {
    guard let order = try? JSONDecoder().decode(FarmOrder.self, from: Data(job.payload.utf8)),
      (order.served == nil) != (order.batched == nil), order.isPlain
    else { throw .request("job-unreadable", "what is to be done for the job \(job.id) can't be read") }
    return order
  }

  /// Whether its names are such that they may become parts of paths.
  private var isPlain: Bool {
    let names = [served?.name, served?.file, batched?.file, batched?.job.creative.name].compactMap(\.self)
    return names.allSatisfy { name in
      (1...255).contains(name.utf8.count) && name != "." && name != ".." && !name.contains("/")
        && !name.utf8.contains(0)
    }
  }
}

extension RenderJob {
  /// What a worker has to have for it.
  var needs: Set<String> {
    var needs: Set<String> = ["clock-\(options.clock.rawValue)"]
    if options.compositing == .always { needs.insert("compositor") }
    return needs
  }
}

/// What came of a job, for who waits for it.
struct FarmOutcome: Sendable, Codable {
  /// The hash of the result's files as a parcel; nil when there are none.
  var parcel: String?
  /// What lists show, as JSON.
  var summary: String?
  /// Seconds that it was rendered.
  var seconds = 0.0
  var attempts = 1
  /// Names of what it shows, which is all that matters of it where there is no baseline; nil when it didn't complete.
  var parts: [String]?

  var text: String { JSONText.plain(self) ?? "{}" }

  static func read(_ text: String?) -> FarmOutcome? {
    text.flatMap { $0.utf8.count < 500_000 ? try? JSONDecoder().decode(FarmOutcome.self, from: Data($0.utf8)) : nil }
  }
}
