internal import Core
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import RenderModel

/// A render's progress and event log as server-sent events, until it has ended.
///
/// `status` is the render's document, `progress` the current phase, `log` a line of the event log with the attempt and
/// its number as the id. A lost attempt is followed by a log that begins anew. `displaced` announces that the place of
/// the stream is needed, and the time at which to reconnect.
struct EventFeed: Sendable {
  let id: String
  let store: Store
  let renderEvents: RenderEvents
  let data: DataFolder
  /// The id of the last event the client saw.
  let last: String?
  /// Indicates if another connection needs the place of this stream.
  var mustEnd: @Sendable () -> Bool = { false }
  /// Range of seconds after which a displaced client reconnects.
  private static let pause = 10...20

  /// Sends all events until the render has ended. The log is read only as fast as the client receives it.
  func send(_ say: (String) async throws -> Void) async throws {
    let notices = renderEvents.follow(id)
    guard let row = try? await store.render(id) else { return }
    try await say(Self.message("status", document(row)))
    var tail = LogTail(path: data.result(of: row).events, attempt: max(1, row.attempts), after: last)
    if !row.status.isFinal { try await follow(notices, &tail, say) }
    guard !mustEnd() else { return try await say(Self.farewell()) }
    // It may have been written elsewhere.
    if let ended = try? await store.render(id), ended.status.isFinal { _ = try? await data.atHome(ended) }
    while case let lines = tail.read(isWhole: true), !lines.isEmpty {
      for line in lines { try await say(line) }
      guard !mustEnd() else { return try await say(Self.farewell()) }
    }
    // Who is sent home because the server stops, or because the outcome can't be read, comes again by itself.
    guard let now = try? await store.render(id), now.status.isFinal else { return }
    if now.status != row.status { try await say(Self.message("status", document(now))) }
    try await say(Self.message("end", "{}"))
  }

  /// Sends the notices as they arrive, and in between the lines that the log has by then.
  private func follow(
    _ notices: AsyncStream<RenderEvents.RenderUpdate>, _ tail: inout LogTail, _ say: (String) async throws -> Void
  ) async throws {
    for await beat in Self.withBeats(notices) {
      guard !Task.isCancelled, !mustEnd() else { return }
      switch beat {
      case nil:
        let lines = tail.read()
        // A comment keeps proxies from closing what is silent.
        if lines.isEmpty, tail.isSilent() { try await say(": \n\n") }
        for line in lines { try await say(line) }
      case .started(let attempt):
        tail.begin(attempt: attempt)
        if let row = try? await store.render(id) { try await say(Self.message("status", document(row))) }
      case .phase(let phase): try await say(Self.message("progress", "{\"phase\":\"\(phase)\"}"))
      case .retrying: try await say(Self.message("progress", "{\"phase\":\"retrying\"}"))
      case .ended: return
      }
    }
  }

  /// The notices, with a nil every 200 milliseconds between them.
  private static func withBeats(_ notices: AsyncStream<RenderEvents.RenderUpdate>) -> AsyncStream<
    RenderEvents.RenderUpdate?
  > {
    let (stream, beat) = AsyncStream.makeStream(of: RenderEvents.RenderUpdate?.self)
    let task = Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { while (try? await Task.sleep(for: .milliseconds(200))) != nil { beat.yield(nil) } }
        group.addTask { for await notice in notices { beat.yield(notice) } }
        // The render has ended, or the server: nothing more will be said.
        await group.next()
        group.cancelAll()
      }
      beat.finish()
    }
    beat.onTermination = { _ in task.cancel() }
    return stream
  }

  private func document(_ row: RenderRow) -> String {
    JSONText.line(RenderDocument(row))
  }

  /// Message that the stream ends before the render does, with a random number of seconds until the client reconnects.
  private static func farewell() -> String {
    let seconds = Int.random(in: pause)
    return "retry: \(seconds * 1_000)\n" + message("displaced", "{\"retryAfter\":\(seconds)}")
  }

  /// One event; `data` is a single line.
  static func message(_ event: String, _ data: String, id: String? = nil) -> String {
    (id.map { "id: \($0)\n" } ?? "") + "event: \(event)\ndata: \(data)\n\n"
  }
}

extension RenderAPI {
  private static let lines = "application/x-ndjson"
  private static let stream = "text/event-stream"

  /// Sends the event log: as it is now, one event per line, or live as server-sent events.
  func events(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    let headers: HTTPFields = [.vary: "Accept"]
    switch MediaChoice.best(of: [Self.lines, Self.stream], accept: request.headers[.accept]) {
    case Self.lines:
      let log = data.result(of: row).events
      // While it is being written the last line may be half.
      let size = EventLogFile(log).wholeBytes
      let answer = try await Answer.file(log, type: Self.lines, bytes: size, headers: headers, context)
      return answer ?? Answer.bytes(ByteBuffer(), type: Self.lines, headers: headers)
    case Self.stream:
      let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
      return live(row, after: last, headers, context)
    default: throw Problem(406, "accept-unsupported", "events are available as \(Self.lines) or \(Self.stream)")
    }
  }

  private func live(
    _ row: RenderRow, after last: String?, _ headers: HTTPFields, _ context: ServiceContext
  ) -> Response {
    var headers = headers
    headers[.contentType] = Self.stream
    headers[.cacheControl] = "no-store"
    let feed = EventFeed(
      id: row.id, store: store, renderEvents: renderEvents, data: data, last: last,
      mustEnd: { [connection = context.connection] in connection?.hasGivenWay == true })
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody { writer in
        try await context.following {
          try await feed.send { try await writer.write(ByteBuffer(string: $0)) }
        }
        try await writer.finish(nil)
      })
  }
}

/// Reads a log while it is written, each line once.
struct LogTail {
  /// Number of reads without news after which a comment is sent to keep the stream alive.
  private static let patience = 75
  private let log: EventLogFile
  private var attempt: Int
  private var offset = 0
  private var number = 0
  /// Number of lines that the client has seen already.
  private var seen: Int
  private var silence = 0

  /// Begins after the log event with the id `last`, such as `1:17`; an id of another attempt is ignored.
  init(path: String, attempt: Int, after last: String?) {
    (log, self.attempt) = (EventLogFile(path), attempt)
    let parts = (last ?? "").split(separator: ":").map { Int($0) }
    seen = parts.count == 2 && parts[0] == attempt ? Bounded.sum(parts[1] ?? -1, 1) : 0
  }

  /// Starts over at the beginning of the log, which another attempt writes anew.
  mutating func begin(attempt: Int) {
    guard attempt != self.attempt else { return }
    (self.attempt, offset, number, seen) = (attempt, 0, 0, 0)
  }

  /// Events for some of the lines written since the last read; empty if there are none. With `isWhole` the last line
  /// needs no line end.
  mutating func read(isWhole: Bool = false) -> [String] {
    var messages: [String] = []
    for line in log.lines(from: &offset, isWhole: isWhole) {
      if number >= seen, !line.isEmpty {
        messages.append(
          EventFeed.message("log", String(decoding: line, as: UTF8.self), id: "\(attempt):\(number)"))
      }
      number += 1
    }
    if !messages.isEmpty { silence = 0 }
    return messages
  }

  /// Counts a read without news; true once per 75 of them, which is a quarter of a minute.
  mutating func isSilent() -> Bool {
    silence += 1
    guard silence >= Self.patience else { return false }
    silence = 0
    return true
  }
}
