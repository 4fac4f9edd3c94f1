internal import Comparison
internal import Core
internal import Foundation
internal import Hummingbird
internal import RenderModel
internal import Scheduling

/// The pages on which users review runs, and see the baselines and the decisions about them.
struct ReviewPages: Sendable {
  let frame: PageFrame
  let renders: RenderAPI
  let desk: ReviewDesk
  let approver: Approver

  /// Maximum number of runs of the review queue that are shown together.
  private static let mostCards = 60

  /// Shows the runs that wait for a review.
  func queue(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    let ids = try await renders.store.reviews.open(owner: context.caller.sight, most: Self.mostCards)
    var rows: [RenderRow] = []
    for id in ids { if let row = try await renders.store.render(id) { rows.append(row) } }
    var values: [String: Any] = [
      "isReview": true, "runs": try await RunCard.all(rows, renders.store.reviews).map(\.values),
      "isEmpty": rows.isEmpty,
    ]
    values["begin"] = ids.first
    values.merge(try await done(request, context)) { $1 }
    return try await frame.page("queue", "Review", values, context)
  }

  /// Shows one run beside its baseline, and the decisions about it.
  func review(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await renders.row(context)
    guard let review = try await desk.review(row) else {
      throw Problem(409, "render-not-compared", "render '\(row.id)' wasn't compared with a baseline")
    }
    var values = RunCard(row, review).values
    let facts = review.facts
    // Of a phone's screen most is the phone's: the ad alone shows what differs.
    let changed = facts.changes.filter { PartName.isPicture($0.name) }
    let alone = changed.filter { $0.name.hasSuffix("-ad") }
    let pictures = folded(alone + changed.filter { !$0.name.hasSuffix("-ad") }, row).map { picture($0, row) }
    let others = facts.changes.filter { !PartName.isPicture($0.name) }.map(\.name)
    let isNew = review.comparison == .new
    values.merge(
      [
        "isReview": true, "extra": "compare", "revision": review.revision, "firstName": "baseline",
        "secondName": isNew ? "first" : "new", "pictures": pictures, "findings": facts.findings,
        "hasFindings": !facts.findings.isEmpty || others.contains(PartName.events), "differences": facts.differences,
        "hasDifferences": !facts.differences.isEmpty, "isEvents": others.contains(PartName.events),
        "files": (facts.files ?? []).map { ["file": $0.text, "addresses": ($0.addresses ?? []).map(\.text)] },
        "hasFiles": facts.files != nil, "isFiles": others.contains(PartName.files),
        "onlyFiles": review.comparison == .filesChanged, "isUncompared": facts.filesCompared == false,
        "unchanged": facts.parts.count { $0.verdict == .unchanged && PartName.isPicture($0.name) },
        "mayDecide": review.state != .approved && review.comparison != .unchanged && review.comparison != .failed,
        "mayReject": review.state != .approved && review.state != .rejected && review.comparison != .unchanged,
        "mayVary": review.comparison == .changed
          && facts.changes.contains {
            PartName.isPicture($0.name) && $0.verdict == .changed
          },
        "mayUndo": review.state == .approved || review.state == .rejected,
        // Parts are chosen among several, where there is a baseline that the others may stay of.
        "mayChoose": review.comparison == .changed && facts.changes.count > 1,
      ] as [String: Any]
    ) { $1 }
    let more = facts.findingCount - facts.findings.count
    if more > 0 { values["more"] = more }
    values.merge(try await place(of: row, context)) { $1 }
    values.merge(try await done(request, context)) { $1 }
    values["history"] = try await history(of: review.key, context)
    return try await frame.page("review", row.name, values, context)
  }

  /// Groups pictures that look the same, now and in the baseline, into one with several names.
  private func folded(_ parts: [ReviewFacts.Part], _ row: RenderRow) -> [[ReviewFacts.Part]] {
    struct Look: Hashable {
      let verdict: BaselineVerdict
      let baseline: String?
      let file: UInt64
    }
    let result = renders.data.result(of: row)
    var (groups, places) = ([[ReviewFacts.Part]](), [Look: Int]())
    for part in parts {
      // The store of contents has each once.
      let facts = try? FileManager.default.attributesOfItem(atPath: result.file("screenshots/\(part.name).png"))
      let file = (facts?[.systemFileNumber] as? NSNumber)?.uint64Value
      let look = file.map { Look(verdict: part.verdict, baseline: part.baseline, file: $0) }
      if let look, let place = places[look] {
        groups[place].append(part)
      } else {
        if let look { places[look] = groups.count }
        groups.append([part])
      }
    }
    return groups
  }

  private func picture(_ parts: [ReviewFacts.Part], _ row: RenderRow) -> [String: Any] {
    let part = parts[0]
    var values: [String: Any] = [
      "name": parts.map(\.name).joined(separator: ", "), "parts": parts.map(\.name), "verdict": part.verdict.rawValue,
      "tone": ReviewWords.tone(part.verdict),
    ]
    let shot = RenderSummary.read(row.summary)?.pictures.first { $0.name == part.name }
    if part.verdict != .missing, shot?.hasAd == true {
      values["alone"] = "/v1/renders/\(row.id)/screenshots/\(BaselineDocument.escaped(part.name))-ad"
    }
    values["firstURL"] = part.baseline.map { "/v1/pictures/\($0)" }
    if part.verdict != .missing {
      values["secondURL"] = "/v1/renders/\(row.id)/screenshots/\(BaselineDocument.escaped(part.name))"
    }
    values["highlight"] = part.highlight.map { "/v1/renders/\(row.id)/files/\($0)" }
    if let count = part.differing, count > 0 { values["facts"] = "\(count) pixels differ" }
    return values
  }

  /// Position of a run in the review queue, with the previous and the next run.
  private func place(of row: RenderRow, _ context: ServiceContext) async throws(Fault) -> [String: Any] {
    let ids = try await renders.store.reviews.open(owner: context.caller.sight, most: 500)
    var values: [String: Any] = [:]
    if let index = ids.firstIndex(of: row.id) {
      values["place"] = "\(index + 1) of \(ids.count) to review"
      if index > 0 { values["previous"] = ids[index - 1] }
      if index + 1 < ids.count { values["next"] = ids[index + 1] }
    } else if let first = ids.first {
      (values["place"], values["next"]) = ("\(ids.count) to review", first)
    }
    return values
  }

  /// The decision made on the previous page, for a link that undoes it.
  private func done(_ request: Request, _ context: ServiceContext) async throws -> [String: Any] {
    let given = QueryText.parameters(request.uri.query ?? "").first { $0.name == "done" }?.value
    guard let id = given, RenderID.isOne(id), let row = try await renders.store.render(id), row.removed == nil,
      context.caller.maySee(of: row.owner), let review = try await renders.store.reviews.review(id),
      review.state == .approved || review.state == .rejected
    else { return [:] }
    return [
      "done": ["doneId": id, "doneName": row.name, "doneState": review.state.rawValue, "doneRevision": review.revision]
        as [String: Any]
    ]
  }

  /// Decisions about a baseline for display; the latest one in effect can be undone.
  private func history(of key: BaselineKey, _ context: ServiceContext) async throws -> [[String: Any]] {
    let decisions = try await renders.store.reviews.decisions(of: key, most: 50)
    let current = try await approver.current(key)
    let latest = decisions.first { decision in
      decision.action != .reject && decision.undone == nil && decision.after == current && decision.before != current
    }
    let base = BaselineDocument.address(of: key)
    return decisions.map { decision in
      var values: [String: Any] = [
        "who": decision.who, "what": DecisionWords.of(decision.action), "time": Instant.text(decision.timestamp),
        "isUndone": decision.undone != nil,
        "pictures": KeptPicture.new(by: decision, approver).map {
          ["old": $0.url, "oldName": $0.name]
        },
      ]
      values["comment"] = decision.comment
      values["page"] = decision.render.map { "/renders/\($0)" }
      if decision.number == latest?.number, context.caller.may(.approve) {
        (values["undo"], values["number"]) = (base, decision.number)
      }
      return values
    }
  }

  /// Shows all baselines with the decisions about each, removed ones included, so that they can be restored.
  func baselines(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    let store = BaselineStore(renders.data.baselines)
    let keys = Set(store.keys()).union(try await renders.store.reviews.decidedKeys()).sorted()
    var sections: [[String: Any]] = []
    for key in keys {
      var values: [String: Any] = [
        "creative": key.creative, "variant": key.variant, "history": try await history(of: key, context),
      ]
      if let document = try store.manifest(key).map({ BaselineDocument(key, $0) }) {
        values["url"] = document.url
        values["states"] = document.states.joined(separator: " → ")
        values["pictures"] = document.screenshots.flatMap { screenshot in
          [["picture": screenshot.name, "address": screenshot.url]]
            + screenshot.variants.map { ["picture": "\(screenshot.name), also accepted", "address": $0] }
        }
      }
      sections.append(values)
    }
    return try await frame.page("baselines", "Baselines", ["isBaselines": true, "baselines": sections], context)
  }
}
