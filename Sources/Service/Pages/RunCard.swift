internal import Checks
internal import Jobs
internal import ServiceStore

/// A run as lists and its own page show it.
struct RunCard {
  let row: RenderRow
  let summary: RenderSummary?

  init(_ row: RenderRow) {
    self.row = row
    summary = RenderSummary.read(row.summary)
  }

  /// What is said of it in a word or two.
  var label: String {
    guard row.status == .completed, let verdict = summary?.verdict else { return row.status.rawValue }
    switch verdict.status {
    case .passed: return "passed"
    case .failed: return "\(verdict.errors) error\(verdict.errors == 1 ? "" : "s")"
    case .timedOut: return "timed out"
    case .broken: return "broken"
    }
  }

  /// The class of its badge.
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
    if let picture = summary?.pictures.first {
      values["thumb"] = address(of: picture.hasAd == true ? picture.name + "-ad" : picture.name)
    }
    if let fault = row.fault { values["error"] = fault.message }
    return values
  }

  /// Where a picture of the run is.
  func address(of picture: String) -> String {
    "/v1/renders/\(row.id)/screenshots/\(BaselineDocument.escaped(picture))"
  }
}
