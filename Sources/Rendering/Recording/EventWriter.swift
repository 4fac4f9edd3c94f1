internal import Core
internal import Files
internal import Glibc
internal import RenderModel

/// Appends events to `events.ndjson` off the web thread, in order, each as soon as it happened.
final class EventWriter: Sendable {
  private let stream: AsyncStream<Event>.Continuation
  private let work: Task<Int32, Never>

  /// Starts a new log at `path`; the folder exists.
  init(path: String) throws(Fault) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw .writing(path, SystemError(errno)) }
    let (events, continuation) = AsyncStream<Event>.makeStream()
    stream = continuation
    work = Task {
      var failure: Int32 = 0
      for await event in events where failure == 0 {
        do throws(SystemError) {
          try FileWriting.writeAll(Self.line(event), to: file)
        } catch {
          failure = error.number
        }
      }
      Glibc.close(file)
      return failure
    }
  }

  func write(_ event: Event) { stream.yield(event) }

  /// Writes what is left; the errno of the first write that failed, or 0.
  func finish() async -> Int32 {
    stream.finish()
    return await work.value
  }

  /// An event as a line. One with a number that JSON doesn't have keeps its place in the log and says why it is empty.
  private static func line(_ event: Event) throws(SystemError) -> [UInt8] {
    var event = event
    for _ in 0..<2 {
      do {
        return try JSONText.bytes(event) + [UInt8(ascii: "\n")]
      } catch {
        if !event.t.isFinite { event.t = 0 }
        event.detail = ["unencodable": .string(String("\(error)".prefix(200)))]
      }
    }
    throw SystemError(EINVAL)
  }
}
