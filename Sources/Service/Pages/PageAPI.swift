internal import Checks
internal import Comparison
internal import Core
internal import Device
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MRAID
internal import NIOCore
internal import Pages
internal import Recordings
internal import RenderModel
internal import Reports
internal import Scheduling

/// The HTML pages for users.
struct PageAPI: Sendable {
  let library: PageLibrary
  let renders: RenderAPI
  let diffs: DiffAPI
  let desk: ReviewDesk
  let sessions: Sessions
  let front: Front
  /// True if users may create links to renders.
  let mayShare: Bool

  func add(to router: some RouterMethods<ServiceContext>) {
    router.get("/") { try await runs($0, $1) }
    router.get("/parts/runs") { try await cards($0, $1) }
    router.get("/parts/renders/:id") { try await found($0, $1) }
    router.get("/renders/:id") { try await run($0, $1) }
    router.get("/review") { try await queue($0, $1) }
    router.get("/review/:id") { try await review($0, $1) }
    router.get("/compare") { try await compare($0, $1) }
    router.get("/baselines") { try await baselines($0, $1) }
    router.get("/docs") { _, context in try await interface(context) }
    router.get("/login") { try await login($0, $1) }
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
    (
      "galley",
      PageLook.Part(
        style: PackageResources.galley_css, script: PackageResources.upload_js + PackageResources.galley_js)
    ),
  ]

  /// Maximum number of open reviews that is counted for each page.
  private static let mostCounted = 999

  /// A page with the values that every page needs.
  func page(
    _ name: String, _ title: String, _ values: [String: Any], _ context: ServiceContext
  ) async throws(Fault) -> Response {
    var values = values
    if context.caller.may(.read) {
      let open = try await renders.store.reviews.countOpen(owner: context.caller.sight, most: Self.mostCounted + 1)
      if open > 0 { values["waiting"] = open > Self.mostCounted ? "\(Self.mostCounted)+" : "\(open)" }
    }
    values["title"] = title
    if sessions.authenticator.asksForTokens, !context.caller.name.isEmpty { values["caller"] = context.caller.name }
    values["mayRender"] = context.caller.may(.render)
    values["mayApprove"] = context.caller.may(.approve)
    return Answer.text(library.html(name, values), type: "text/html; charset=utf-8")
  }

  private func runs(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    // A form sends fields that were left empty.
    let given = QueryText.parameters(request.uri.query ?? "").filter { !$0.value.isEmpty }
    let parameters = given.filter { !["group", "removed", "again"].contains($0.name) }
    let query = try ListQuery(parameters, for: context.caller)
    let (rows, next) = try await renders.store.list(query.filter, before: query.cursor, limit: query.limit)
    let chosen = query.filter.statuses.count == 1 ? query.filter.statuses[0] : nil
    let grouping = RunGrouping(rawValue: given.first { $0.name == "group" }?.value ?? "") ?? .none
    let cards = try await cards(rows)
    var values: [String: Any] = [
      "isRuns": true, "groups": grouping.groups(cards), "isEmpty": rows.isEmpty, "q": query.filter.text ?? "",
      "groupings": RunGrouping.allCases.map {
        ["value": $0.rawValue, "label": $0.title, "isChosen": $0 == grouping] as [String: Any]
      },
      "filters": Self.filters(query.filter, given),
      "isFiltered": query.filter != RenderFilter(owner: context.caller.sight),
      "statuses": [["value": "", "label": "all", "isChosen": chosen == nil] as [String: Any]]
        + RenderStatus.allCases.map { ["value": $0.rawValue, "label": $0.rawValue, "isChosen": $0 == chosen] },
      "devices": DeviceCatalogue.standard.devices.map {
        ["name": $0.name, "isDefault": $0.name == DeviceCatalogue.defaultName] as [String: Any]
      },
      "profiles": ProfileCatalogue.standard.profiles.map { ["id": $0.id, "profile": $0.title] },
      "containers": ContainerCatalogue.standard.containers.map { ["name": $0.name] },
      "networkProfiles": NetworkProfile.names.map { ["profile": $0] },
    ]
    if let id = given.first(where: { $0.name == "removed" })?.value, RenderID.isOne(id),
      let row = try await renders.store.render(id), row.removed != nil, context.caller.maySee(of: row.owner)
    {
      (values["removed"], values["removedName"]) = (id, row.name)
    }
    if let id = given.first(where: { $0.name == "again" })?.value {
      let row = try await renders.row(id, for: context.caller)
      (values["again"], values["againName"]) = (id, row.name)
      values["settings"] = RenderRequest.read(row.request)?.text
      values["hasRecording"] = renders.data.recording(of: row) != nil
    }
    if let next {
      let kept =
        given.filter { !["cursor", "removed", "again"].contains($0.name) } + [("cursor", ListQuery.text(next))]
      values["next"] = Self.address(kept)
    }
    return try await page("runs", "Runs", values, context)
  }

  /// Cards of runs, with their reviews.
  func cards(_ rows: [RenderRow]) async throws(Fault) -> [RunCard] {
    let reviews = try await renders.store.reviews.all(of: rows.map(\.id))
    return rows.map { RunCard($0, reviews[$0.id]) }
  }

  /// The labels by which a list is filtered, each with the address of the list without it.
  private static func filters(
    _ filter: RenderFilter, _ given: [(name: String, value: String)]
  ) -> [[String: String]] {
    filter.labels.sorted { $0.key < $1.key }.map { name, value in
      let kept = given.filter { parameter in
        parameter.name != "cursor" && !(parameter.name == "label" && parameter.value.hasPrefix("\(name)="))
      }
      return ["filter": "\(name)=\(value)", "without": address(kept)]
    }
  }

  private static func address(_ parameters: [(name: String, value: String)]) -> String {
    "/?" + parameters.map { "\($0.name)=\(BaselineDocument.escaped($0.value))" }.joined(separator: "&")
  }

  /// Sends only the cards of given runs, for a page that is open already.
  private func cards(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    let ids = QueryText.parameters(request.uri.query ?? "").first { $0.name == "ids" }?.value ?? ""
    var rows: [RenderRow] = []
    for id in ids.split(separator: ",").prefix(200) where RenderID.isOne(String(id)) {
      guard let row = try await renders.store.render(String(id)), context.caller.maySee(of: row.owner) else { continue }
      rows.append(row)
    }
    let html = try await cards(rows).map { library.html("run-card", $0.values) }.joined()
    return Answer.text("<ul>\(html)</ul>", type: "text/html; charset=utf-8")
  }

  private func run(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await renders.row(context)
    let review = try await desk.review(row)
    let card = RunCard(row, review)
    let key = BaselineVariant.key(row)
    var values = card.values
    values["isFinal"] = row.status.isFinal
    values["isCompleted"] = row.status == .completed
    values["code"] = row.fault?.code
    values["hasReport"] = card.summary?.verdict != nil
    values["hasRecording"] = row.status.isFinal && renders.data.recording(of: row) != nil
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
    if let decision = try await renders.store.reviews.decision(on: row.id) {
      values["decision"] = "\(DecisionWords.of(decision.action)) by \(decision.who)"
      values["decisionComment"] = decision.comment
    }
    let isGiver = mayShare && (context.caller.may(.render) || context.caller.may(.approve))
    values["mayShare"] = isGiver
    let shares = isGiver ? try await renders.store.shares.valid(of: row.id, at: Instant.now) : []
    values["hasShares"] = !shares.isEmpty
    values["shares"] = shares.map {
      ["share": $0.id, "giver": $0.owner, "given": Instant.text($0.created), "until": Instant.text($0.expires)]
    }
    values["extra"] = "report"
    return try await page("run", row.name, values, context)
  }

  /// Sends the results of a render for its page: the sections of a report, with or without checks.
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
    return Answer.text(await HTMLReport.part(source).text, type: "text/html; charset=utf-8")
  }

  /// Shows the HTTP interface.
  private func interface(_ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    guard let interface = InterfacePage(PackageResources.openapi_json) else {
      throw Fault.engine("page-broken", "the OpenAPI document can't be read")
    }
    return try await page("interface", "HTTP interface", interface.values, context)
  }

  private func asset(_ bytes: [UInt8], _ type: String) -> Response {
    Answer.bytes(ByteBuffer(bytes: bytes), type: type, headers: [.cacheControl: "no-cache"])
  }
}

extension PageAPI {
  /// Shows the login form, which leads on to the requested page.
  ///
  /// A request that follows a link from another site carries no cookie, even if the user is logged in; in that case a
  /// page is sent that requests the target again itself.
  func login(_ request: Request, _ context: ServiceContext) async throws(Fault) -> Response {
    let query = QueryText.parameters(request.uri.query ?? "")
    let target = query.first { $0.name == "next" }.flatMap { LoginTarget($0.value) }
    let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
    if let target, site == "cross-site" || site == "same-site" {
      return try await page("arriving", "Loading", ["next": target.path], context)
    }
    return try await login(context, next: target)
  }

  private func login(
    _ context: ServiceContext, next: LoginTarget?, problem: String? = nil
  ) async throws(Fault) -> Response {
    var values: [String: Any] = [:]
    values["problem"] = problem
    values["next"] = next?.path
    return try await page("login", "Log in", values, context)
  }

  /// Begins a session for a valid token, with a cookie that scripts and other sites can't read.
  func enter(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let body = try await request.body.collect(upTo: 10_000)
    let form = QueryText.parameters(String(buffer: body))
    let token = form.first { $0.name == "token" }?.value.filter { !$0.isWhitespace } ?? ""
    let next = form.first { $0.name == "next" }.flatMap { LoginTarget($0.value) }
    guard let session = sessions.begin(token, at: Instant.now) else {
      return try await login(context, next: next, problem: "This token is unknown.")
    }
    return redirect(to: next?.path ?? "/", cookie: cookie(session, seconds: Sessions.lifetime / 1000, request, context))
  }

  /// Ends the session, so that copies of its cookie become invalid too.
  func leave(_ request: Request, _ context: ServiceContext) async throws -> Response {
    if let session = request.cookies[AuthMiddleware.cookie] { try await sessions.end(session.value, at: Instant.now) }
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
