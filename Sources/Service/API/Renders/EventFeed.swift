internal import FoundationEssentials
internal import Jobs
internal import ServiceStore

/// A render's progress and event log as server-sent events, until it has ended.
///
/// `status` is the render's document, `progress` what is being done, `log` a line of the event log with the attempt and
/// its number as the id. A lost attempt is followed by a log that begins anew.
struct EventFeed: Sendable {
  let id: String
  let store: Store
  let bulletin: Bulletin
  /// The path of the event log.
  let log: String
  /// The id of the last event the client saw.
  let last: String?

  /// Says everything until the render has ended. The log is read as far as the client has taken what came before.
  func send(_ say: (String) async throws -> Void) async throws {
    let notices = bulletin.follow(id)
    guard let row = try? await store.render(id) else { return }
    try await say(Self.message("status", document(row)))
    var tail = LogTail(path: log, attempt: max(1, row.attempts), after: last)
    if !row.status.isFinal { try await follow(notices, &tail, say) }
    while case let lines = tail.read(isWhole: true), !lines.isEmpty {
      for line in lines { try await say(line) }
    }
    // Who is sent home because the server stops, or because the outcome can't be read, comes again by itself.
    guard let now = try? await store.render(id), now.status.isFinal else { return }
    if now.status != row.status { try await say(Self.message("status", document(now))) }
    try await say(Self.message("end", "{}"))
  }

  /// Tells what happens as it does, with whatever the log has by then.
  private func follow(
    _ notices: AsyncStream<Bulletin.Notice>, _ tail: inout LogTail, _ say: (String) async throws -> Void
  ) async throws {
    for await beat in Self.withBeats(notices) {
      guard !Task.isCancelled else { return }
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

  /// The notices, and a nil between them now and then.
  private static func withBeats(_ notices: AsyncStream<Bulletin.Notice>) -> AsyncStream<Bulletin.Notice?> {
    let (stream, beat) = AsyncStream.makeStream(of: Bulletin.Notice?.self)
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

  /// One event; `data` is a single line.
  static func message(_ event: String, _ data: String, id: String? = nil) -> String {
    (id.map { "id: \($0)\n" } ?? "") + "event: \(event)\ndata: \(data)\n\n"
  }
}
