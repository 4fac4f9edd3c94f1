internal import Core
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import RenderModel
internal import Reports
internal import Scheduling

/// The routes about links to one render, which open only its screenshots and its report.
struct ShareAPI: Sendable {
  private struct Share: Encodable {
    let id: String
    let url: String
    let expires: String
  }
  private struct Given: Encodable {
    let id: String
    let owner: String
    let created: String
    let expires: String

    init(_ share: GivenShare) {
      (id, owner) = (share.id, share.owner)
      (created, expires) = (Instant.text(share.created), Instant.text(share.expires))
    }
  }

  let renders: RenderAPI
  let library: PageLibrary
  let links: ShareLinks
  /// The public address of the server; nil for the one that it listens on.
  let base: PublicAddress?
  /// The beginning of the path of a shared link.
  static let path = "/shared/"

  /// A path for logs and messages, without the link in it, since a link is as good as a password.
  static func withoutLink(_ path: String) -> String {
    let plain = path.removingPercentEncoding ?? path
    let isOfLink = plain.split(separator: "/").first?.lowercased() == "shared"
    return isOfLink ? "\(Self.path)…" : path
  }

  /// Days for which a link is valid by default.
  private static let usual = 7
  /// Valid links that a render may have at a time, and ended links that are remembered of it.
  private static let (most, mostKept) = (100, 1_000)

  func add(to router: some RouterMethods<ServiceContext>) {
    router.post("/v1/renders/:id/share") { try await share($0, $1) }
    router.get("/v1/renders/:id/shares") { try await list($0, $1) }
    router.delete("/v1/renders/:id/shares") { try await end($0, $1) }
    router.delete("/v1/renders/:id/shares/:share") { try await end($0, $1) }
    router.get("/shared/:link") { try await page($0, $1) }
    router.get("/shared/:link/screenshots/:name") { try await screenshot($0, $1) }
    router.get("/shared/:link/report") { try await report($0, $1) }
  }

  /// Creates a link to a render that has ended.
  private func share(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(ofGiver: context)
    let reader = BodyReader(
      bounds: renders.bounds, folder: UploadFolder(renders.data), large: renders.large, connection: context.connection)
    let body = try await reader.bytes(request)
    var fields = FieldReader(body.isEmpty ? [:] : try Submission.object(body))
    let days = fields.whole("days", in: 1...max(1, links.mostDays))
    try fields.finish()
    guard links.areOn else {
      throw Problem(409, "share-links-off", "share links are disabled: ask the server's administrator for --share-days")
    }
    guard row.status.isFinal else {
      throw Problem(409, "render-not-finished", "render '\(row.id)' hasn't ended yet", retryAfter: 1)
    }
    let now = Instant.now
    let link = ShareLinks.Link(
      render: row.id, expires: now + Int64(days ?? min(Self.usual, links.mostDays)) * Self.day)
    let share = GivenShare(
      id: links.id(of: link), render: row.id, owner: context.caller.name, created: now, expires: link.expires)
    guard try await renders.store.commit(KeepShare(share: share, most: Self.most)) else {
      throw Problem(409, "share-links-too-many", "the render has \(Self.most) links: revoke one first")
    }
    let url = "\(base?.text ?? "")\(Self.path)\(links.text(of: link))"
    return try Answer.json(Share(id: share.id, url: url, expires: Instant.text(link.expires)), status: .created)
  }

  /// Milliseconds of a day.
  private static let day: Int64 = 86_400_000

  /// The render of the request; throws if the caller may not create links to it.
  private func row(ofGiver context: ServiceContext) async throws -> RenderRow {
    let row = try await renders.row(context)
    if !context.caller.may(.approve) { try context.require(.render) }
    return row
  }

  /// Lists the valid links, without their secret part.
  private func list(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(ofGiver: context)
    let shares = links.areOn ? try await renders.store.shares.valid(of: row.id, at: Instant.now) : []
    return try Answer.json(["shares": shares.map(Given.init)])
  }

  /// Revokes one link, or all known links of a render.
  private func end(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(ofGiver: context)
    let id = context.parameters.get("share")
    guard id.map(ShareLinks.isID) ?? true else { throw Problem.missing("such link") }
    let now = Instant.now
    let change = EndShare(
      render: row.id, id: id, owner: context.caller.name, timestamp: now,
      expires: now + Int64(ShareLinks.longest) * Self.day, most: Self.mostKept)
    guard try await renders.store.commit(change) else { throw Problem.missing("such link") }
    return Response(status: .noContent)
  }

  /// The render that a link opens. Any invalid link counts as missing.
  private func row(_ context: ServiceContext) async throws -> RenderRow {
    let link = links.link(context.parameters.get("link") ?? "", at: Instant.now)
    var row: RenderRow?
    if let link, try await !renders.store.shares.isEnded(links.id(of: link), of: link.render) {
      row = try await renders.store.latest(link.render)
    }
    return try await renders.data.atHome(
      try row.visible(called: "such link, or it has expired") { $0.status.isFinal })
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

  /// Adds headers that keep the secret address from other sites, search engines and caches.
  private static func guarded(_ response: Response) -> Response {
    var response = response
    response.headers[.cacheControl] = "private, no-store"
    for (name, value) in [("referrer-policy", "no-referrer"), ("x-robots-tag", "noindex, nofollow")] {
      if let name = HTTPField.Name(name) { response.headers[name] = value }
    }
    return response
  }
}
