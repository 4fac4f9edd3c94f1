internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Jobs
internal import ServiceStore

extension RenderAPI {
  private struct Listing: Encodable {
    let files: [ResultFiles.File]
  }

  /// What a render left: measurements, what exploring found, filmstrips.
  func files(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    return try Answer.json(Listing(files: row.status.isFinal ? results(row).all : []))
  }

  /// One of those files.
  func file(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    let given = context.parameters.getCatchAll().joined(separator: "/")
    guard row.status.isFinal, let file = results(row).file(given.removingPercentEncoding ?? given),
      let answer = try await Answer.file(ResultPaths(row, data).file(file.path), type: file.type, context)
    else { throw Problem.missing("file '\(given.prefix(80))' of render '\(row.id)'") }
    return answer
  }

  private func results(_ row: RenderRow) -> ResultFiles {
    ResultFiles(folder: ResultPaths(row, data).result, base: "/v1/renders/\(row.id)/files")
  }
}
