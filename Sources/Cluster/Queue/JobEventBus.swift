package import Core
internal import FoundationEssentials

/// Notices about jobs for processes that listen at the time; no function depends on their delivery.
package struct JobEventBus: Sendable {
  /// Maximum number of bytes of a notice.
  static let largest = 8192
  private let nats: NatsConnection
  private let names: QueueNames

  init(_ nats: NatsConnection, _ names: QueueNames) { (self.nats, self.names) = (nats, names) }

  package func post(_ notice: JobEvent, of id: String) async {
    guard let bytes = try? JSONText.bytes(notice), bytes.count <= Self.largest else { return }
    try? await nats.send(NatsMessage(names.notice(of: id, about: notice.topic.rawValue), bytes))
  }

  /// Sends a notice about a job to its sender.
  package func tell(_ notice: JobEvent, of id: String, to owner: String) async {
    guard QueueCaller(text: owner) != nil, let bytes = try? JSONText.bytes(notice), bytes.count <= Self.largest else {
      return
    }
    try? await nats.send(NatsMessage(names.word(to: owner, of: id), bytes))
  }

  /// Opens a reader of the notices that are posted from now on; nil for all topics.
  package func listen(to topic: JobEvent.Topic?) async throws(Fault) -> NoticeReader {
    let subject = names.notice(of: "*", about: topic?.rawValue ?? "*")
    return NoticeReader(try await Subscription.open(subject, on: nats), largest: Self.largest)
  }
}

/// Reader of notices as they arrive.
package struct NoticeReader: Sendable {
  /// Maximum number of notices that are read in one go.
  private static let most = 100
  private let subscription: Subscription
  private let largest: Int

  init(_ subscription: Subscription, largest: Int) { (self.subscription, self.largest) = (subscription, largest) }

  /// Returns the next notices of jobs that `isWanted` accepts; none if there are none within a second.
  ///
  /// Messages that aren't notices, or are notices of a later version of Galley, are skipped.
  package func next(
    of isWanted: @Sendable (String) -> Bool = { _ in true }
  ) async throws(Fault) -> [(id: String, notice: JobEvent)] {
    var notices: [(id: String, notice: JobEvent)] = []
    for message in try await subscription.next(Self.most, within: .seconds(1)) where message.bytes.count <= largest {
      guard let id = message.subject.split(separator: ".").last.map(String.init), id.utf8.count <= 64, isWanted(id),
        let notice = try? JSONDecoder().decode(JobEvent.self, from: Data(message.bytes))
      else { continue }
      notices.append((id, notice))
    }
    return notices
  }
}

/// Event in the life of a job.
package enum JobEvent: Hashable, Sendable, Codable {
  /// A worker began the job; `attempt` is the number of the attempt.
  case started(attempt: Int)
  case phase(String)
  /// A process died under the job, and the worker tries it again.
  case retrying(reason: String)
  /// The job has ended; its record contains the outcome.
  case ended
  /// The job was cancelled, so that its worker may stop.
  case cancelled

  /// Topic that listeners choose, so that a worker needn't receive the progress of all other workers.
  package enum Topic: String, Sendable { case progress, ended, cancelled }

  package var topic: Topic {
    switch self {
    case .started, .phase, .retrying: .progress
    case .ended: .ended
    case .cancelled: .cancelled
    }
  }
}
