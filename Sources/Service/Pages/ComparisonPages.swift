internal import Core
internal import Hummingbird
internal import RenderModel
internal import Scheduling
internal import Comparison

/// The page on which users compare two runs, or a run and a baseline.
struct ComparisonPages: Sendable {
  let frame: PageFrame
  let renders: RenderAPI
  let diffs: DiffAPI

  /// Shows two runs, or a run and a baseline, side by side.
  func compare(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    let given = Dictionary(
      QueryText.parameters(request.uri.query ?? "").filter { !$0.value.isEmpty }, uniquingKeysWith: { $1 })
    let visible = RenderFilter(statuses: [.completed], owner: context.caller.sight)
    let (recent, _) = try await renders.store.list(visible, before: nil, limit: 100)
    var values: [String: Any] = [
      "isCompare": true, "extra": "compare", "firsts": choices(recent, given["first"]),
      "seconds": choices(recent, given["second"]), "firstName": "first", "secondName": "second",
    ]
    if given["second"] != nil, given["first"] != nil || given["baseline"] != nil {
      do {
        let found = try await diffs.compare(
          try DiffRequest(given.mapValues { .string($0) }), for: context.caller)
        values.merge(shown(found, given)) { $1 }
        let names = Dictionary(recent.map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
        for side in ["first", "second"] {
          guard let id = given[side] else { continue }
          (values[side], values["\(side)Page"]) = (names[id] ?? id, "/renders/\(id)")
        }
      } catch {
        values["problem"] = (error as? Problem)?.fault.message ?? (error as? Fault)?.message ?? "\(error)"
      }
    }
    return try await frame.page("compare", "Compare", values, context)
  }

  private func choices(_ rows: [RenderRow], _ chosen: String?) -> [[String: Any]] {
    rows.map {
      let timestamp = Instant.text($0.created).prefix(19).replacing("T", with: " ")
      return ["id": $0.id, "text": "\($0.name) · \(timestamp)", "isChosen": $0.id == chosen]
    }
  }

  private func shown(_ found: JSONValue, _ given: [String: String]) -> [String: Any] {
    let verdict = found["verdict"]?.string ?? ""
    let result = found["results"]?[0]
    let pictures = (result?["screenshots"]?.array ?? []).map { screenshot($0, given) }
    let findings = (result?["events"]?["findings"]?.array ?? []).prefix(100).map(\.text)
    return [
      "verdict": verdict, "tone": tone(verdict), "first": found["first"]?.string ?? "",
      "second": found["second"]?.string ?? "", "pictures": pictures, "findings": Array(findings),
      "hasFindings": !findings.isEmpty,
    ]
  }

  private func screenshot(_ screenshot: JSONValue, _ given: [String: String]) -> [String: Any] {
    let file = screenshot["name"]?.string ?? ""
    let name = BaselineDocument.escaped(file.hasSuffix(".png") ? String(file.dropLast(4)) : file)
    let verdict = screenshot["verdict"]?.string ?? ""
    var values: [String: Any] = ["name": file, "verdict": verdict, "tone": tone(verdict)]
    if verdict != "new" {
      values["firstURL"] =
        given["first"].map { "/v1/renders/\($0)/screenshots/\(name)" }
        ?? given["baseline"].flatMap(BaselineAPI.key).map {
          let (creative, variant) = (BaselineDocument.escaped($0.creative), BaselineDocument.escaped($0.variant))
          return "/v1/baselines/\(creative)/\(variant)/screenshots/\(name)"
        }
    }
    if verdict != "missing" { values["secondURL"] = given["second"].map { "/v1/renders/\($0)/screenshots/\(name)" } }
    values["highlight"] = screenshot["written"]?["highlight"]?.string
    if let count = screenshot["difference"]?["differing"]?.number, count > 0 {
      values["facts"] = "\(count.plain) pixels differ"
    }
    return values
  }

  private func tone(_ verdict: String) -> String { verdict == "same" ? "good" : "bad" }
}
