internal import Checks

/// Test cases of the networks that have to accept the builds of playables, one for each build and network.
struct PlayableCases {
  /// Cases of one build.
  struct Suite {
    let build: String
    let cases: [TestCase]
  }

  /// Builds with their cases in the order of the matrix; none of a build that no network has to accept.
  let suites: [Suite]

  init(_ report: CheckReport) {
    suites = PlayableMatrix(report).rows.compactMap { row in
      let cases = row.cells.filter(\.isAsked).compactMap { Self.test($0, of: row.build, in: report) }
      return cases.isEmpty ? nil : Suite(build: row.build, cases: cases)
    }
  }

  private static func test(_ cell: PlayableMatrix.Cell, of build: String, in report: CheckReport) -> TestCase? {
    guard let render = report.creatives.first(where: { cell.results.contains($0.name) }) else { return nil }
    let network = report.profiles.first { $0.id == cell.answer.profile }?.title ?? cell.answer.profile
    let (outcome, message): (TestCase.Outcome, String?) =
      switch cell.answer.verdict {
      case .accepted: (.passed, nil)
      case .refused: (.failed, cell.reasons)
      case .notTried: (.skipped, cell.reasons.map { "not tried: \($0)" })
      }
    var test = TestCase(
      creative: render, id: cell.answer.profile, title: "accepted by \(network)", outcome: outcome, message: message,
      details: cell.issues.map { issue in issue.text + (issue.remedy.map { "\nRemedy: \($0)" } ?? "") })
    test.build = build
    return test
  }
}
