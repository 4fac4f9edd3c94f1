internal import FoundationEssentials
internal import Hummingbird
internal import Jobs
internal import ServiceStore

extension RenderAPI {
  private struct Page: Encodable {
    let renders: [RenderDocument]
    /// What to ask for next; nil on the last page.
    let next: String?
  }

  /// Renders newest first, a page at a time.
  func list(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    let query = try ListQuery(QueryText.parameters(request.uri.query ?? ""), for: context.caller)
    let (rows, next) = try await store.list(query.filter, before: query.cursor, limit: query.limit)
    return try Answer.json(Page(renders: rows.map { RenderDocument($0) }, next: next.map(ListQuery.text)))
  }
}
