internal import Checks
internal import Comparison
internal import Core
internal import RenderModel
internal import Scheduling

/// A run as it is shown in lists and on its own page.
struct RunCard {
  let row: RenderRow
  let summary: RenderSummary?
  private let review: Review?

  init(_ row: RenderRow, _ review: Review? = nil) {
    (self.row, self.review) = (row, review)
    summary = RenderSummary.read(row.summary)
  }

  /// Cards of runs, with their reviews.
  static func all(_ rows: [RenderRow], _ store: ReviewStore) async throws(Fault) -> [RunCard] {
    let reviews = try await store.all(of: rows.map(\.id))
    return rows.map { RunCard($0, reviews[$0.id]) }
  }

  /// Labels sorted by their names.
  var labels: [(name: String, value: String)] {
    (RenderRequest.read(row.request)?.labels ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The state or verdict in one or two words.
  var label: String {
    guard row.status == .completed, let verdict = summary?.verdict else { return row.status.rawValue }
    switch verdict.status {
    case .passed: return "passed"
    case .failed: return "\(verdict.errors) error\(verdict.errors == 1 ? "" : "s")"
    case .timedOut: return "timed out"
    case .broken: return "broken"
    }
  }

  /// The CSS class of its badge.
  var tone: String {
    switch row.status {
    case .queued, .running: return "busy"
    case .failed, .quarantined: return "bad"
    case .cancelled: return "plain"
    case .completed: return summary?.verdict.map { $0.status == .passed } ?? true ? "good" : "bad"
    }
  }

  var values: [String: Any] {
    var values: [String: Any] = [
      "id": row.id, "status": row.status.rawValue, "name": row.name, "label": label, "tone": tone,
      "created": Instant.text(row.created), "owner": row.owner,
    ]
    if let screenshot = summary?.thumbnail.flatMap({ name in summary?.pictures.first { $0.name == name } })
      ?? summary?.pictures.first
    {
      values["thumb"] = address(of: screenshot.name)
      if screenshot.hasAd == true { values["alone"] = address(of: screenshot.name + "-ad") }
    }
    if let assumed = summary?.assumed { values["assumed"] = assumed.joined(separator: " · ") }
    if let fault = row.fault { values["error"] = fault.message }
    values["settings"] = BaselineVariant.key(row).variant.replacing(".", with: " · ")
    values["labels"] = labels.map { label in
      let address = BaselineDocument.escaped("\(label.name)=\(label.value)")
      return ["label": label.name, "value": label.value, "url": "/?label=\(address)"]
    }
    if let review { values.merge(ReviewWords(review).values(of: row.id)) { $1 } }
    if let verdict = summary?.verdict {
      if !verdict.accepted.isEmpty { values["accepted"] = Self.names(verdict.accepted) }
      if !verdict.refused.isEmpty { values["refused"] = Self.names(verdict.refused) }
      if let ids = verdict.notTried, !ids.isEmpty { values["notTried"] = Self.names(ids) }
    }
    return values
  }

  /// Titles of up to three networks, or the number of more.
  private static func names(_ ids: [String]) -> String {
    guard ids.count <= 3 else { return "\(ids.count) networks" }
    return ids.map { id in ProfileCatalogue.standard.profiles.first { $0.id == id }?.title ?? id }.joined(
      separator: ", ")
  }

  /// The address of a screenshot of the run.
  func address(of screenshot: String) -> String {
    "/v1/renders/\(row.id)/screenshots/\(BaselineDocument.escaped(screenshot))"
  }
}
