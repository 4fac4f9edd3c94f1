internal import Synchronization

/// Where whoever waits for a render hears what happens to it.
final class RenderEvents: Sendable {
  /// Something that happened to a render.
  enum RenderUpdate: Hashable, Sendable {
    /// A worker took it up, for the so-manieth time.
    case started(attempt: Int)
    case phase(String)
    /// An attempt was lost.
    case retrying(reason: String)
    case ended(RenderStatus)
  }

  private struct Readers {
    var next = 0
    var isClosed = false
    var streams: [String: [Int: AsyncStream<RenderUpdate>.Continuation]] = [:]
  }

  private let readers = Mutex(Readers())

  /// What happens from now on; ends with the render, or with the server.
  func follow(_ id: String) -> AsyncStream<RenderUpdate> {
    let (stream, continuation) = AsyncStream.makeStream(of: RenderUpdate.self, bufferingPolicy: .bufferingNewest(200))
    let number: Int? = readers.withLock { readers in
      guard !readers.isClosed else { return nil }
      readers.next += 1
      readers.streams[id, default: [:]][readers.next] = continuation
      return readers.next
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.leave(id, number) }
    return stream
  }

  /// Whether anybody follows a render right now.
  func isFollowed(_ id: String) -> Bool { readers.withLock { $0.streams[id] != nil } }

  /// Tells everybody who follows a render; its end is the last they hear.
  func post(_ notice: RenderUpdate, of id: String) {
    let streams = readers.withLock { $0.streams[id].map { Array($0.values) } ?? [] }
    for stream in streams { stream.yield(notice) }
    if case .ended = notice {
      for stream in streams { stream.finish() }
    }
  }

  /// Sends everybody home, now and from now on.
  func close() {
    let streams = readers.withLock { readers in
      readers.isClosed = true
      return readers.streams.values.flatMap(\.values)
    }
    for stream in streams { stream.finish() }
  }

  private func leave(_ id: String, _ number: Int) {
    readers.withLock { readers in
      readers.streams[id]?[number] = nil
      if readers.streams[id]?.isEmpty == true { readers.streams[id] = nil }
    }
  }
}
