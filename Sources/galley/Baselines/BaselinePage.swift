internal import Baselines
internal import Comparison
internal import Jobs

/// What a verification found, as a page to look at.
struct BaselinePage {
  let outcomes: [BaselineOutcome]
  let gone: [MissingCreative]
  /// The folder of baselines as the caller wrote it.
  let baselines: String
  let out: String

  var page: DiffPage {
    DiffPage(
      first: baselines, second: out, results: outcomes.map(\.comparison),
      sides: PageSides(first: "baseline", second: "new"), lists: lists)
  }

  private var lists: [PageList] {
    [
      PageList("Failed", outcomes.filter { $0.verdict == .failed }.map(\.name)),
      PageList("Drawn by something else, not compared", outcomes.filter { $0.verdict == .refused }.map(\.name)),
      PageList("New creatives", outcomes.filter { $0.verdict == .new }.map(\.name)),
      PageList("New pictures", parts { $0.verdict == .new }),
      PageList("Missing pictures", parts { $0.verdict == .missing }),
      PageList("Flaky", parts { $0.verdict == .flaky }),
      PageList("Unchanged, but not in each render", parts { $0.verdict == .unchanged && !$0.steady }),
      PageList("Baselines whose creative is gone", gone.map(\.line)),
    ]
  }

  private func parts(_ isMeant: (Candidate.Part) -> Bool) -> [String] {
    outcomes.filter { [.changed, .unchanged].contains($0.verdict) }.flatMap { outcome in
      (outcome.candidate?.parts ?? []).filter(isMeant).map { "\(outcome.name): \($0.name)" }
    }
  }
}
