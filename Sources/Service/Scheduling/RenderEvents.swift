internal import RenderModel
internal import Synchronization

/// Distribution of render events to the clients that follow them.
final class RenderEvents: Sendable {
  /// An event of a render.
  enum RenderUpdate: Hashable, Sendable {
    /// A worker began an attempt, counted from 1.
    case started(attempt: Int)
    case phase(String)
    /// An attempt was lost and is repeated.
    case retrying(reason: String)
    case ended(RenderStatus)
  }

  private struct Readers {
    var next = 0
    var isClosed = false
    var streams: [String: [Int: AsyncStream<RenderUpdate>.Continuation]] = [:]
  }

  private let readers = Mutex(Readers())

  /// Events from now on; the stream ends with the render, or when the server stops.
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

  /// Indicates if a client follows the render at present.
  func isFollowed(_ id: String) -> Bool { readers.withLock { $0.streams[id] != nil } }

  /// Sends an event to all followers of a render; the end of the render also ends their streams.
  func post(_ notice: RenderUpdate, of id: String) {
    let streams = readers.withLock { $0.streams[id].map { Array($0.values) } ?? [] }
    for stream in streams { stream.yield(notice) }
    if case .ended = notice {
      for stream in streams { stream.finish() }
    }
  }

  /// Ends all streams; later ones end at once.
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
