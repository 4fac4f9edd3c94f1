internal import HTTPTypes
internal import Hummingbird
internal import Jobs
internal import NIOCore
internal import ServiceStore

extension RenderAPI {
  private static let lines = "application/x-ndjson"
  private static let stream = "text/event-stream"

  /// The event log: as it is now, a line each; or live, as server-sent events.
  func events(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    let headers: HTTPFields = [.vary: "Accept"]
    switch MediaChoice.best(of: [Self.lines, Self.stream], accept: request.headers[.accept]) {
    case Self.lines:
      let log = ResultPaths(row, data).file("events.ndjson")
      // While it is being written the last line may be half.
      let size = LogTail.wholeBytes(of: log)
      let answer = try await Answer.file(log, type: Self.lines, bytes: size, headers: headers, context)
      return answer ?? Answer.bytes(ByteBuffer(), type: Self.lines, headers: headers)
    case Self.stream:
      let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
      return live(row, after: last, headers)
    default: throw Problem(406, "not-acceptable", "events are told as \(Self.lines) or \(Self.stream)")
    }
  }

  private func live(_ row: RenderRow, after last: String?, _ headers: HTTPFields) -> Response {
    var headers = headers
    headers[.contentType] = Self.stream
    headers[.cacheControl] = "no-store"
    let feed = EventFeed(
      id: row.id, store: store, bulletin: bulletin, log: ResultPaths(row, data).file("events.ndjson"), last: last)
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody { writer in
        try await feed.send { try await writer.write(ByteBuffer(string: $0)) }
        try await writer.finish(nil)
      })
  }
}
