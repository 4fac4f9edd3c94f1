internal import Comparison

/// Words in which pages describe the result of a comparison.
struct ReviewWords {
  private let review: Review

  init(_ review: Review) { self.review = review }

  /// Values for a card of the run with an id.
  func values(of id: String) -> [String: Any] {
    var values: [String: Any] = ["comparison": word, "comparisonTone": tone, "reviewPage": "/review/\(id)"]
    if let thumbnail = review.facts.thumbnail, review.comparison == .changed {
      values["difference"] = "/v1/renders/\(id)/files/\(thumbnail)"
    }
    values["isChange"] = review.comparison != .unchanged && review.comparison != .new
    values["isNew"] = review.comparison == .new
    switch review.state {
    case .open: values["reviewState"] = "to review"
    case .approved, .rejected, .superseded: values["reviewState"] = review.state.rawValue
    case .none: break
    }
    return values
  }

  private var word: String {
    switch review.comparison {
    case .filesChanged: "files changed"
    case .refused: "not comparable"
    case .failed: "comparison failed"
    default: review.comparison.rawValue
    }
  }

  private var tone: String {
    switch (review.comparison, review.state) {
    case (_, .approved), (.unchanged, _): "good"
    case (_, .rejected), (.failed, _): "bad"
    case (.new, _): "note"
    default: "warning"
    }
  }

  static func tone(_ verdict: BaselineVerdict) -> String {
    switch verdict {
    case .unchanged, .flaky: "good"
    case .changed, .missing: "bad"
    case .new: "note"
    }
  }
}

/// Words in which pages describe decisions.
enum DecisionWords {
  static func of(_ action: Decision.Action) -> String {
    switch action {
    case .approve: "approved"
    case .variant: "accepted as variant"
    case .reject: "rejected"
    case .remove: "removed"
    case .undo: "undone"
    }
  }
}
