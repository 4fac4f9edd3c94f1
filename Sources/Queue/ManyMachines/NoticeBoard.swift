package import Core
internal import FoundationEssentials
internal import JetStream

/// What happens to jobs, told to whoever listens right now; nothing depends on its being heard.
package struct NoticeBoard: Sendable {
  /// The most bytes that a notice may have.
  private static let largest = 8192
  private let nats: NatsConnection
  private let names: QueueNames

  init(_ nats: NatsConnection, _ names: QueueNames) { (self.nats, self.names) = (nats, names) }

  package func post(_ notice: JobNotice, of id: String) async {
    guard let bytes = try? JSONText.bytes(notice), bytes.count <= Self.largest else { return }
    try? await nats.send(NatsMessage(names.notice(of: id, about: notice.topic.rawValue), bytes))
  }

  /// What is posted from now on; nil listens to all topics.
  package func listen(to topic: JobNotice.Topic?) async throws(Fault) -> NoticeReader {
    let subject = names.notice(of: "*", about: topic?.rawValue ?? "*")
    return NoticeReader(try await Subscription.open(subject, on: nats), largest: Self.largest)
  }
}

/// Notices as they come.
package struct NoticeReader: Sendable {
  /// Those that are read in one go.
  private static let most = 100
  private let subscription: Subscription
  private let largest: Int

  init(_ subscription: Subscription, largest: Int) { (self.subscription, self.largest) = (subscription, largest) }

  /// Those of jobs that `isWanted` takes; none when there are none within a second. What is no notice, or one of a later
  /// Galley, is passed over.
  package func next(
    of isWanted: @Sendable (String) -> Bool = { _ in true }
  ) async throws(Fault) -> [(id: String, notice: JobNotice)] {
    var notices: [(id: String, notice: JobNotice)] = []
    for message in try await subscription.next(Self.most, within: .seconds(1)) where message.bytes.count <= largest {
      guard let id = message.subject.split(separator: ".").last.map(String.init), id.utf8.count <= 64, isWanted(id),
        let notice = try? JSONDecoder().decode(JobNotice.self, from: Data(message.bytes))
      else { continue }
      notices.append((id, notice))
    }
    return notices
  }
}

/// Something that happened to a job.
package enum JobNotice: Hashable, Sendable, Codable {
  /// A worker took it up, for the so-manieth time.
  case started(attempt: Int)
  case phase(String)
  /// A process died under it, and it is tried again.
  case retrying(reason: String)
  /// Its record says how.
  case ended
  /// Somebody took it back: whoever works at it may stop.
  case cancelled

  /// What listeners choose by. A worker that heard of all progress would hear more the more workers there are.
  package enum Topic: String, Sendable { case progress, ended, cancelled }

  package var topic: Topic {
    switch self {
    case .started, .phase, .retrying: .progress
    case .ended: .ended
    case .cancelled: .cancelled
    }
  }
}
