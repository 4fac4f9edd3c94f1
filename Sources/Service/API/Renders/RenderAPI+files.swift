internal import HTTPTypes
internal import Hummingbird
internal import Jobs
internal import NIOCore
internal import Reports
internal import ServiceStore

extension RenderAPI {
  /// A picture by its name in the result, with or without `.png`; `NAME-ad` is the ad alone.
  func screenshot(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    let given = context.parameters.get("name") ?? ""
    let name = given.hasSuffix(".png") ? String(given.dropLast(4)) : given
    // Only names that the result has become part of a path.
    let known = RenderSummary.read(row.summary)?.pictures.map(\.name) ?? []
    guard known.contains(name) || known.contains(where: { "\($0)-ad" == name }),
      let answer = try await Answer.file(
        ResultPaths(row, data).file("screenshots/\(name).png"), type: "image/png", context)
    else { throw Problem.missing("screenshot '\(name.prefix(80))' of render '\(row.id)'") }
    return answer
  }

  /// What checks say, in the format that is accepted best.
  func report(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    guard row.status.isFinal else {
      throw Problem(409, "not-finished", "render '\(row.id)' hasn't ended yet", retryAfter: 1)
    }
    guard RenderSummary.read(row.summary)?.verdict != nil else {
      throw Problem(409, "not-checked", "render '\(row.id)' wasn't judged: submit it with checks")
    }
    let accept = request.headers[.accept]
    guard let type = MediaChoice.best(of: ReportFormat.allCases.map(\.mediaType), accept: accept),
      let format = ReportFormat.allCases.first(where: { $0.mediaType == type })
    else {
      let offers = ReportFormat.allCases.map(\.mediaType).joined(separator: ", ")
      throw Problem(406, "not-acceptable", "a report is told as \(offers)")
    }
    let results = ResultPaths(row, data).results
    let text = try await format.text(try ReportSource.read(folder: results, workingFolder: results))
    var headers: HTTPFields = [.vary: "Accept"]
    if format == .html {
      // The page allows its own style and script by their hashes; in a frame it gets no more than that.
      headers[.contentSecurityPolicy] = "sandbox allow-scripts; frame-ancestors 'self'"
    }
    return Answer.text(text, type: type, headers: headers)
  }
}
