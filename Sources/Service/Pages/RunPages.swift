internal import Checks
internal import Comparison
internal import Core
internal import Device
internal import Hummingbird
internal import MRAID
internal import Recordings
internal import RenderModel
internal import Reports
internal import Scheduling

/// The pages of runs: the list of them, and one with its results.
struct RunPages: Sendable {
  let frame: PageFrame
  let renders: RenderAPI
  let desk: ReviewDesk
  /// True if users may create links to renders.
  let mayShare: Bool

  /// Shows the list of runs.
  func runs(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    // A form sends fields that were left empty.
    let given = QueryText.parameters(request.uri.query ?? "").filter { !$0.value.isEmpty }
    let parameters = given.filter { !["group", "removed", "again"].contains($0.name) }
    let query = try ListQuery(parameters, for: context.caller)
    let (rows, next) = try await renders.store.list(query.filter, before: query.cursor, limit: query.limit)
    let chosen = query.filter.statuses.count == 1 ? query.filter.statuses[0] : nil
    let grouping = RunGrouping(rawValue: given.first { $0.name == "group" }?.value ?? "") ?? .none
    let cards = try await RunCard.all(rows, renders.store.reviews)
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
    return try await frame.page("runs", "Runs", values, context)
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
  func cards(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    let ids = QueryText.parameters(request.uri.query ?? "").first { $0.name == "ids" }?.value ?? ""
    var rows: [RenderRow] = []
    for id in ids.split(separator: ",").prefix(200) where RenderID.isOne(String(id)) {
      guard let row = try await renders.store.render(String(id)), context.caller.maySee(of: row.owner) else { continue }
      rows.append(row)
    }
    let html = try await RunCard.all(rows, renders.store.reviews).map { frame.library.html("run-card", $0.values) }
      .joined()
    return frame.response("<ul>\(html)</ul>")
  }

  /// Shows one run.
  func run(_ request: Request, _ context: ServiceContext) async throws -> Response {
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
    return try await frame.page("run", row.name, values, context)
  }

  /// Sends the results of a render for its page: the sections of a report, with or without checks.
  func found(_ request: Request, _ context: ServiceContext) async throws -> Response {
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
      return frame.response("")
    }
    return frame.response(await HTMLReport.part(source).text)
  }
}
