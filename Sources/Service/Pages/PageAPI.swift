internal import Comparison
internal import Core
internal import Device
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MRAID
internal import NIOCore
internal import Pages
internal import RenderModel
internal import Reports

/// The pages for people.
struct PageAPI: Sendable {
  let library: PageLibrary
  let renders: RenderAPI
  let diffs: DiffAPI
  let sessions: Sessions
  let front: Front

  func add(to router: some RouterMethods<ServiceContext>) {
    router.get("/") { try await runs($0, $1) }
    router.get("/parts/runs") { try await cards($0, $1) }
    router.get("/parts/renders/:id") { try await found($0, $1) }
    router.get("/renders/:id") { try await run($0, $1) }
    router.get("/compare") { try await compare($0, $1) }
    router.get("/baselines") { try await baselines($0, $1) }
    router.get("/login") { _, context in login(context) }
    router.post("/login") { try await enter($0, $1) }
    router.post("/logout") { try await leave($0, $1) }
    for (name, part) in Self.assets {
      router.get("/assets/\(name).css") { _, _ in asset(part.style, "text/css; charset=utf-8") }
      router.get("/assets/\(name).js") { _, _ in asset(part.script, "text/javascript; charset=utf-8") }
    }
    router.get("/v1/openapi.json") { _, _ in asset(PackageResources.openapi_json, "application/json") }
  }

  /// The styles and scripts of the pages, in the order in which they build on each other.
  static let assets: [(name: String, part: PageLook.Part)] = [
    ("look", PageLook.base), ("compare", PageLook.comparison), ("report", HTMLReport.assets),
    ("galley", PageLook.Part(style: PackageResources.galley_css, script: PackageResources.galley_js)),
  ]

  /// A page with what all of them need.
  func page(_ name: String, _ title: String, _ values: [String: Any], _ context: ServiceContext) -> Response {
    var values = values
    values["title"] = title
    if sessions.authenticator.asksForTokens, !context.caller.name.isEmpty { values["caller"] = context.caller.name }
    values["mayRender"] = context.caller.may(.render)
    values["mayApprove"] = context.caller.may(.approve)
    return Answer.text(library.html(name, values), type: "text/html; charset=utf-8")
  }

  private func runs(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    // A form sends fields that were left empty.
    let parameters = QueryText.parameters(request.uri.query ?? "").filter { !$0.value.isEmpty }
    let query = try ListQuery(parameters, for: context.caller)
    let (rows, next) = try await renders.store.list(query.filter, before: query.cursor, limit: query.limit)
    let chosen = query.filter.statuses.count == 1 ? query.filter.statuses[0] : nil
    var values: [String: Any] = [
      "isRuns": true, "runs": rows.map { RunCard($0).values }, "q": query.filter.text ?? "",
      "isFiltered": query.filter != RenderFilter(owner: context.caller.sight),
      "statuses": [["value": "", "label": "all", "isChosen": chosen == nil] as [String: Any]]
        + RenderStatus.allCases.map { ["value": $0.rawValue, "label": $0.rawValue, "isChosen": $0 == chosen] },
      "devices": DeviceCatalogue.standard.devices.map {
        ["name": $0.name, "isDefault": $0.name == DeviceCatalogue.defaultName] as [String: Any]
      },
      "containers": ContainerCatalogue.standard.containers.map { ["name": $0.name] },
    ]
    if let next {
      let kept = parameters.filter { $0.name != "cursor" } + [("cursor", ListQuery.text(next))]
      values["next"] = "/?" + kept.map { "\($0.name)=\(BaselineDocument.escaped($0.value))" }.joined(separator: "&")
    }
    return page("runs", "Runs", values, context)
  }

  /// The cards of some runs alone, for a page that is open.
  private func cards(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    let ids = QueryText.parameters(request.uri.query ?? "").first { $0.name == "ids" }?.value ?? ""
    var html = ""
    for id in ids.split(separator: ",").prefix(200) where RenderID.isOne(String(id)) {
      guard let row = try await renders.store.render(String(id)), context.caller.maySee(of: row.owner) else { continue }
      html += library.html("run-card", RunCard(row).values)
    }
    return Answer.text("<ul>\(html)</ul>", type: "text/html; charset=utf-8")
  }

  private func run(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await renders.row(context)
    let card = RunCard(row)
    let key = BaselineVariant.key(row)
    var values = card.values
    values["isFinal"] = row.status.isFinal
    values["isCompleted"] = row.status == .completed
    values["code"] = row.fault?.code
    values["hasReport"] = card.summary?.verdict != nil
    values["hasPictures"] = card.summary?.pictures.isEmpty == false
    values["variant"] = key.variant
    values["pictures"] = card.summary?.pictures.flatMap { screenshot in
      ([screenshot.name] + (screenshot.hasAd == true ? [screenshot.name + "-ad"] : [])).map {
        ["name": $0, "state": screenshot.state, "url": card.address(of: $0)]
      }
    }
    if let strip = card.summary?.filmstrip {
      let base = "/v1/renders/\(row.id)/files"
      values["filmstrip"] =
        [
          "frames": strip.frames, "interval": strip.interval.plain, "sheet": "\(base)/\(strip.sheet)",
          "animation": "\(base)/\(strip.animation)",
        ] as [String: Any]
    }
    if let started = row.started, let finished = row.finished {
      values["seconds"] = (Double((finished - started) / 100) / 10).plain
    }
    if try BaselineStore(renders.data.baselines).manifest(key) != nil {
      values["baseline"] = key.text
      values["baselineKey"] = BaselineDocument.escaped(key.text)
    }
    values["extra"] = "report"
    return page("run", row.name, values, context)
  }

  /// What was found in a render, for its page: the sections of a report, whether or not it was judged.
  private func found(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await renders.row(context)
    guard row.status.isFinal else {
      throw Problem(409, "render-not-finished", "render '\(row.id)' hasn't ended yet", retryAfter: 1)
    }
    let results = renders.data.render(row.id).results
    let isJudged = RenderSummary.read(row.summary)?.verdict != nil
    let source: ReportSource
    if isJudged {
      source = try ReportSource.read(folder: results, workingFolder: results)
    } else if let record = try? renders.data.result(of: row).record() {
      source = ReportSource(unjudged: record, name: row.name, results: results)
    } else {
      return Answer.text("", type: "text/html; charset=utf-8")
    }
    return Answer.text(await HTMLReport.part(source, isJudged: isJudged).text, type: "text/html; charset=utf-8")
  }

  private func asset(_ bytes: [UInt8], _ type: String) -> Response {
    Answer.bytes(ByteBuffer(bytes: bytes), type: type, headers: [.cacheControl: "no-cache"])
  }
}

extension PageAPI {
  func login(_ context: ServiceContext, problem: String? = nil) -> Response {
    var values: [String: Any] = [:]
    values["problem"] = problem
    return page("login", "Log in", values, context)
  }

  /// Begins a session for a good token, in a cookie that no script and no other site gets.
  func enter(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let body = try await request.body.collect(upTo: 10_000)
    let form = QueryText.parameters(String(buffer: body))
    let token = form.first { $0.name == "token" }?.value.filter { !$0.isWhitespace } ?? ""
    guard let session = try await sessions.begin(token, at: Instant.now) else {
      return login(context, problem: "This token isn't known.")
    }
    return redirect(to: "/", cookie: cookie(session, seconds: Sessions.lifetime / 1000, request, context))
  }

  /// Ends the session, wherever its cookie was copied to.
  func leave(_ request: Request, _ context: ServiceContext) async throws -> Response {
    if let session = request.cookies[AuthMiddleware.cookie] { try await sessions.end(session.value) }
    return redirect(to: "/login", cookie: cookie("", seconds: 0, request, context))
  }

  private func cookie(_ value: String, seconds: Int64, _ request: Request, _ context: ServiceContext) -> String {
    let plain = "\(AuthMiddleware.cookie)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(seconds)"
    return front.isSecure(request.headers, from: context.peer) ? plain + "; Secure" : plain
  }

  private func redirect(to place: String, cookie: String) -> Response {
    Response(status: .seeOther, headers: [.location: place, .setCookie: cookie])
  }
}
