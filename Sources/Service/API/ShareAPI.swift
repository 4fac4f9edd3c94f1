internal import Core
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Reports

/// The routes about links to one render, and what is to be seen by them: its pictures and its report, nothing else.
struct ShareAPI: Sendable {
  private struct Share: Encodable {
    let url: String
    let expires: String
  }

  let renders: RenderAPI
  let library: PageLibrary
  let links: ShareLinks
  /// The address by which others know the server; nil for the one that it listens on.
  let base: PublicAddress?
  /// What a link's address begins with.
  static let path = "/shared/"
  /// Days that one lasts unless somebody says otherwise.
  private static let usual = 7

  func add(to router: some RouterMethods<ServiceContext>) {
    router.post("/v1/renders/:id/share") { try await share($0, $1) }
    router.get("/shared/:link") { try await page($0, $1) }
    router.get("/shared/:link/screenshots/:name") { try await screenshot($0, $1) }
    router.get("/shared/:link/report") { try await report($0, $1) }
  }

  /// Gives a link to a render that has ended.
  private func share(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await renders.row(context)
    if !context.caller.may(.approve) { try context.require(.render) }
    let reader = BodyReader(bounds: renders.bounds, folder: UploadFolder(renders.data), large: renders.large)
    let body = try await reader.bytes(request)
    var fields = FieldReader(body.isEmpty ? [:] : try Submission.object(body))
    let days = fields.whole("days", in: 1...max(1, links.mostDays))
    try fields.finish()
    guard links.areOn else {
      throw Problem(409, "share-links-off", "this server gives no links: it would be started with --share-days")
    }
    guard row.status.isFinal else {
      throw Problem(409, "render-not-finished", "render '\(row.id)' hasn't ended yet", retryAfter: 1)
    }
    let expires = Instant.now + Int64(days ?? min(Self.usual, links.mostDays)) * 86_400_000
    let text = links.text(of: ShareLinks.Link(render: row.id, expires: expires))
    return try Answer.json(
      Share(url: "\(base?.text ?? "")\(Self.path)\(text)", expires: Instant.text(expires)), status: .created)
  }

  /// The render that a link is about; whatever is wrong with one, it is as good as none.
  private func row(_ context: ServiceContext) async throws -> RenderRow {
    let link = links.link(context.parameters.get("link") ?? "", at: Instant.now)
    let row = if let link { try await renders.store.latest(link.render) } else { RenderRow?.none }
    return try await renders.data.atHome(
      try row.visible(called: "such link, or it is over") { $0.status.isFinal })
  }

  private func page(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    let base = Self.path + (context.parameters.get("link") ?? "")
    let card = RunCard(row)
    let pictures = (card.summary?.pictures ?? []).flatMap { screenshot in
      ([screenshot.name] + (screenshot.hasAd == true ? [screenshot.name + "-ad"] : [])).map {
        ["name": $0, "state": screenshot.state, "url": "\(base)/screenshots/\(BaselineDocument.escaped($0))"]
      }
    }
    var values = card.values
    values["title"] = row.name
    values["isShared"] = true
    values["pictures"] = pictures
    values["hasPictures"] = !pictures.isEmpty
    values["expires"] = links.link(context.parameters.get("link") ?? "", at: 0).map { Instant.text($0.expires) }
    if card.summary?.verdict != nil { values["report"] = "\(base)/report" }
    return Self.guarded(Answer.text(library.html("shared", values), type: "text/html; charset=utf-8"))
  }

  private func screenshot(_ request: Request, _ context: ServiceContext) async throws -> Response {
    guard let answer = try await renders.screenshot(of: try await row(context), context) else {
      throw Problem.missing("such picture")
    }
    return Self.guarded(answer)
  }

  private func report(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    guard RenderSummary.read(row.summary)?.verdict != nil else { throw Problem.missing("such report") }
    let results = renders.data.render(row.id).results
    let text = await HTMLReport.text(try ReportSource.read(folder: results, workingFolder: results))
    return Self.guarded(Answer.text(text, type: "text/html", headers: RenderAPI.framed))
  }

  /// The address is a secret: no other site hears it, no search engine keeps it, no cache outlives it.
  private static func guarded(_ response: Response) -> Response {
    var response = response
    response.headers[.cacheControl] = "private, no-store"
    for (name, value) in [("referrer-policy", "no-referrer"), ("x-robots-tag", "noindex, nofollow")] {
      if let name = HTTPField.Name(name) { response.headers[name] = value }
    }
    return response
  }
}
