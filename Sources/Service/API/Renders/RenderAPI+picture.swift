internal import HTTPTypes
internal import Hummingbird
internal import Jobs
internal import NIOCore
internal import ServiceStore

extension RenderAPI {
  /// Renders and answers with the last picture: the whole screen, or with `?part=ad` the ad alone.
  func picture(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.render)
    let part = try Self.part(QueryText.parameters(request.uri.query ?? ""))
    let accepted = try await accept(request, context)
    let row = try await wait(for: accepted, seconds: bounds.patience + bounds.timeout)
    guard row.status.isFinal else {
      throw Problem(503, .engine("shutting-down", "the server is shutting down"), retryAfter: 10)
    }
    guard let name = RenderSummary.read(row.summary)?.pictures.last?.name, row.status == .completed else {
      throw Problem(row.fault ?? .creative("no-picture", "the render left no picture"))
    }
    let path = ResultPaths(row, data).file("screenshots/\(name)\(part).png")
    guard let bytes = FileContents.read(path) else {
      throw Problem(.engine("result-gone", "the picture \(name)\(part) isn't there any more"))
    }
    let headers: HTTPFields = [.location: "/v1/renders/\(row.id)"]
    return Answer.bytes(ByteBuffer(bytes: bytes), type: "image/png", headers: headers)
  }

  /// What a file's name ends with.
  private static func part(_ parameters: [(name: String, value: String)]) throws(Problem) -> String {
    for (name, value) in parameters {
      guard name == "part", ["ad", "screen"].contains(value) else {
        throw Problem(422, "query-invalid", "only part=ad and part=screen are known here")
      }
      return value == "ad" ? "-ad" : ""
    }
    return ""
  }
}
