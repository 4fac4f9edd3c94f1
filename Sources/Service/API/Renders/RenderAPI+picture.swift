internal import HTTPTypes
internal import Hummingbird
internal import Jobs
internal import NIOCore
internal import ServiceStore

extension RenderAPI {
  /// Which picture of a render is the answer.
  private enum Part: String, CaseIterable {
    case screen, ad
    /// All frames on one sheet.
    case filmstrip
  }

  /// Renders and answers with the last picture: the whole screen, or with `?part=` the ad alone or the filmstrip.
  func picture(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.render)
    let part = try Self.part(QueryText.parameters(request.uri.query ?? ""))
    let accepted = try await accept(request, context)
    let row = try await wait(for: accepted, seconds: bounds.patience + bounds.timeout)
    guard row.status.isFinal else {
      throw Problem(503, .engine("shutting-down", "the server is shutting down"), retryAfter: 10)
    }
    let summary = row.status == .completed ? RenderSummary.read(row.summary) : nil
    guard let file = Self.file(part, of: summary) else {
      throw Problem(row.fault ?? .creative("no-picture", "the render left no picture of the \(part.rawValue)"))
    }
    guard let bytes = FileContents.read(ResultPaths(row, data).file(file)) else {
      throw Problem(.engine("result-gone", "the picture \(file) isn't there any more"))
    }
    let headers: HTTPFields = [.location: "/v1/renders/\(row.id)"]
    return Answer.bytes(ByteBuffer(bytes: bytes), type: "image/png", headers: headers)
  }

  private static func part(_ parameters: [(name: String, value: String)]) throws(Problem) -> Part {
    guard let (name, value) = parameters.first else { return .screen }
    guard parameters.count == 1, name == "part", let part = Part(rawValue: value) else {
      let known = Part.allCases.map { "part=\($0.rawValue)" }.joined(separator: ", ")
      throw Problem(422, "query-invalid", "only \(known) are known here")
    }
    return part
  }

  private static func file(_ part: Part, of summary: RenderSummary?) -> String? {
    let last = summary?.pictures.last
    return switch part {
    case .screen: last.map { "screenshots/\($0.name).png" }
    case .ad: last?.hasAd == true ? last.map { "screenshots/\($0.name)-ad.png" } : nil
    case .filmstrip: summary?.filmstrip?.sheet
    }
  }
}
