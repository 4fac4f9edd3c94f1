internal import Foundation
internal import Glibc
internal import Jobs

/// Appends events to `events.ndjson` off the web thread, in order, each as soon as it happened.
final class EventWriter: Sendable {
  private let stream: AsyncStream<Event>.Continuation
  private let work: Task<Int32, Never>

  /// Starts a new log at `path`; the folder exists.
  init(path: String) throws(Fault) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw OutputFolder.fault(path, errno) }
    let (events, continuation) = AsyncStream<Event>.makeStream()
    stream = continuation
    work = Task {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      var failure: Int32 = 0
      for await event in events where failure == 0 {
        guard var line = try? encoder.encode(event) else { continue }
        line.append(UInt8(ascii: "\n"))
        failure = Self.append(line, to: file)
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

  private static func append(_ line: Data, to file: Int32) -> Int32 {
    line.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = Glibc.write(file, bytes.baseAddress! + written, bytes.count - written)
        if count < 0 && errno != EINTR { return errno }
        if count > 0 { written += count }
      }
      return 0
    }
  }
}
