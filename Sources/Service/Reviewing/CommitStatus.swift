internal import Comparison
internal import Core
internal import RenderModel
internal import Scheduling

/// Status of a render's commit for a code host: the body of GitHub's `POST /repos/…/statuses/SHA`.
struct CommitStatus: Encodable {
  /// GitHub's states of a commit.
  private enum State: String, Encodable {
    case pending, success, failure, error
  }
  private enum CodingKeys: String, CodingKey {
    case sha, state, context, description
    case target = "target_url"
  }

  /// The commit named by the render's label.
  private let sha: String
  private let state: State
  private let context: String
  private let description: String
  private let target: String
  /// Maximum number of characters in GitHub's texts.
  private static let longest = 140

  /// Creates the status; nil for a render without the label `commit`.
  init?(_ row: RenderRow, _ status: RenderStatus, _ review: Review?, _ base: PublicAddress?) {
    guard let commit = RenderRequest.read(row.request)?.labels?["commit"] else { return nil }
    sha = commit
    context = String("galley/\(review?.key.text ?? row.name)".prefix(Self.longest))
    let (state, text) = Self.standing(status, review)
    (self.state, description) = (state, String(text.prefix(Self.longest)))
    target = "\(base?.text ?? "")/\(review == nil ? "renders" : "review")/\(row.id)"
  }

  private static func standing(_ status: RenderStatus, _ review: Review?) -> (State, String) {
    guard status == .completed else { return (.error, "the render is \(status.rawValue)") }
    guard let review else { return (.success, "rendered") }
    switch review.state {
    case .open: return (.pending, "\(changed(review)): to review")
    case .approved: return (.success, "\(changed(review)): approved")
    case .rejected: return (.failure, "\(changed(review)): rejected")
    case .superseded: return (.pending, "\(changed(review)): review the later render instead")
    case .none: return (.success, review.comparison.rawValue)
    }
  }

  private static func changed(_ review: Review) -> String {
    let count = review.facts.changes.count { PartName.isPicture($0.name) }
    return switch review.comparison {
    case .changed where count > 0: "\(count) screenshot\(count == 1 ? "" : "s") changed"
    case .filesChanged: "files changed: \(FileComparison.text(review.facts.files ?? []))"
    case .refused: "not comparable with the baseline"
    default: review.comparison.rawValue
    }
  }
}
