package import Core
internal import Files
internal import FoundationEssentials
internal import Glibc

/// Reader of a render's `events.ndjson`; the file may be cut short, half written, or not a render's log at all.
package struct EventLogFile: Sendable {
  /// Reason for refusing a log.
  package enum Problem: Error, Hashable, Sendable {
    /// There is no readable file of bounded size.
    case unreadable
    case tooManyLines(Int)
    /// The line with this number, from 1, is no event.
    case broken(line: Int)
  }

  /// Bytes to read at a time, since many logs may be followed at once.
  package static let piece = 1 << 18
  /// Maximum length of a line in bytes; an event is far shorter.
  private static let longest = 1 << 20
  /// Maximum number of events to read: twice as many as a render writes.
  private static let most = 20_000
  /// Maximum size in bytes of a log that is read at once: well beyond the log of a render.
  private static let largest = 256 << 20

  package let path: String

  package init(_ path: String) { self.path = path }

  /// The log's events, without lines that can't be read or aren't wanted; empty if there is no log.
  package func events(where isWanted: ([UInt8]) -> Bool = { _ in true }) -> [Event] {
    guard let file = OpenLog(path) else { return [] }
    let decoder = JSONDecoder()
    var (events, line, offset): ([Event], [UInt8], Int) = ([], [], 0)
    while events.count < Self.most {
      let bytes = file.read(from: offset)
      if bytes.isEmpty { break }
      offset += bytes.count
      let cut = LogPiece(bytes)
      for whole in cut.lines {
        line += whole
        if let event = Self.event(line, decoder, isWanted) { events.append(event) }
        line.removeAll(keepingCapacity: true)
      }
      // What is left of a line that is too long is no event either.
      if line.count <= Self.longest { line += cut.rest }
    }
    if let event = Self.event(line, decoder, isWanted) { events.append(event) }
    return events
  }

  /// The events of all lines; throws if a line is no event.
  package func everyEvent() throws(Problem) -> [Event] {
    guard let bytes = try? FileReading.regular(path, most: Self.largest, followsLinks: false) else {
      throw .unreadable
    }
    let cut = LogPiece(bytes)
    let lines = (cut.lines + [cut.rest]).filter { !$0.isEmpty }
    guard lines.count <= Self.most else { throw .tooManyLines(lines.count) }
    let decoder = JSONDecoder()
    var events: [Event] = []
    for (index, line) in lines.enumerated() {
      guard let event = try? decoder.decode(Event.self, from: Data(line)) else { throw .broken(line: index + 1) }
      events.append(event)
    }
    return events
  }

  /// Console messages of the pages, one per line.
  package var console: String {
    events().filter { $0.source == .page && $0.isNamed(.console) }.compactMap { $0.detail["text"]?.string }
      .map { $0 + "\n" }.joined()
  }

  /// Some lines from an offset, which is moved past them: complete lines only, with `isWhole` also the last one.
  ///
  /// A line that fills a whole piece is no event of Galley's. It is returned in parts, since otherwise the reader would
  /// wait for its end.
  package func lines(from offset: inout Int, isWhole: Bool) -> [ArraySlice<UInt8>] {
    guard let bytes = OpenLog(path)?.read(from: offset), !bytes.isEmpty else { return [] }
    let cut = LogPiece(bytes)
    let isLast = isWhole && bytes.count < Self.piece
    let takesRest = !cut.rest.isEmpty && (isLast || cut.rest.count == Self.piece)
    offset += takesRest ? bytes.count : bytes.count - cut.rest.count
    return cut.lines + (takesRest ? [cut.rest] : [])
  }

  /// Number of bytes up to the last line end; the last line of a log that is still being written may be incomplete.
  package var wholeBytes: Int {
    guard let file = OpenLog(path) else { return 0 }
    var end = file.size
    while end > 0 {
      let start = max(0, end - Self.piece)
      let bytes = file.read(from: start).prefix(end - start)
      guard !bytes.isEmpty else { return 0 }
      if let index = bytes.lastIndex(of: LogPiece.lineEnd) { return start + index + 1 }
      end = start
    }
    return 0
  }

  /// Encodes an event as a line.
  ///
  /// An event with a number that JSON can't express keeps its place in the log, with the reason in place of its
  /// details.
  fileprivate static func line(_ event: Event) throws(SystemError) -> [UInt8] {
    var event = event
    for _ in 0..<2 {
      do {
        return try JSONText.bytes(event) + [LogPiece.lineEnd]
      } catch {
        if !event.t.isFinite { event.t = 0 }
        event.detail = ["unencodable": .string(String("\(error)".prefix(200)))]
      }
    }
    throw SystemError(EINVAL)
  }

  private static func event(_ line: [UInt8], _ decoder: JSONDecoder, _ isWanted: ([UInt8]) -> Bool) -> Event? {
    guard !line.isEmpty, line.count <= longest, isWanted(line) else { return nil }
    return try? decoder.decode(Event.self, from: Data(line))
  }
}

/// Splits bytes of a log into lines and the rest after the last line end.
private struct LogPiece {
  static let lineEnd = UInt8(ascii: "\n")

  private(set) var lines: [ArraySlice<UInt8>] = []
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
    while let end = rest.firstIndex(of: Self.lineEnd) {
      lines.append(rest[..<end])
      rest = rest[(end + 1)...]
    }
  }
}

/// A log opened for reading; the call never blocks, even if something else has its name.
private final class OpenLog {
  private let file: Int32

  init?(_ path: String) {
    file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
  }

  deinit { if file >= 0 { close(file) } }

  var size: Int {
    var facts = stat()
    return fstat(file, &facts) == 0 ? Int(facts.st_size) : 0
  }

  /// Reads at most a piece; empty at the end, and if reading fails.
  func read(from offset: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: EventLogFile.piece) { room, count in
      var got = -1
      repeat { got = pread(file, room.baseAddress, room.count, offset) } while got < 0 && errno == EINTR
      count = max(0, got)
    }
  }
}

/// Appends events to a new `events.ndjson` in order and immediately, without making the caller wait for the disk.
package final class EventWriter: Sendable {
  private let stream: AsyncStream<Event>.Continuation
  private let work: Task<Int32, Never>

  /// Starts a new log at `path`, whose folder must exist.
  package init(path: String) throws(Fault) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw .writing(path, SystemError(errno)) }
    let (events, continuation) = AsyncStream<Event>.makeStream()
    stream = continuation
    work = Task {
      var failure: Int32 = 0
      for await event in events where failure == 0 {
        do throws(SystemError) {
          try FileWriting.writeAll(EventLogFile.line(event), to: file)
        } catch {
          failure = error.number
        }
      }
      close(file)
      return failure
    }
  }

  /// Appends an event.
  package func write(_ event: Event) { stream.yield(event) }

  /// Writes the remaining events; returns the errno of the first failed write, or 0.
  package func finish() async -> Int32 {
    stream.finish()
    return await work.value
  }
}
