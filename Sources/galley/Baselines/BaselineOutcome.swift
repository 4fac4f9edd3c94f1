internal import Baselines
internal import Comparison
internal import Jobs

/// What a run found of one creative.
struct BaselineOutcome: Sendable {
  /// What became of the baseline.
  enum Action: String, Sendable, Encodable {
    case recorded
    /// There was another one, which stays.
    case kept
  }

  let name: String
  /// Where the results are.
  var folder: String?
  /// Nil when nothing could be said of it.
  var candidate: Candidate?
  /// The render that didn't complete.
  var failure: RenderRecord?
  /// Why its baseline can't be used.
  var problem: Fault?
  var action: Action?
  /// What a page shows of it.
  let comparison: ResultVerdict

  init(name: String, failure: RenderRecord?) {
    (self.name, self.failure) = (name, failure)
    comparison = Self.failed(name, failure?.message)
  }

  init(name: String, folder: String, candidate: Candidate, comparison: ResultVerdict) {
    (self.name, self.folder, self.candidate, self.comparison) = (name, folder, candidate, comparison)
  }

  init(name: String, problem: Fault) {
    (self.name, self.problem) = (name, problem)
    comparison = Self.failed(name, problem.message)
  }

  private static func failed(_ name: String, _ message: String?) -> ResultVerdict {
    var result = ResultVerdict(name: name)
    result.problems = [message ?? "it was not rendered"]
    return result
  }

  var verdict: CreativeVerdict { candidate?.verdict ?? .failed }

  /// What it means for a verification's exit code.
  var status: ExitStatus {
    if let problem { return ExitStatus(problem.blame) }
    if let failure { return ExitStatus(failure) }
    switch verdict {
    case .unchanged: return .pass
    case .changed: return .findings
    case .new, .refused: return .baselineMissing
    case .failed: return .engine
    }
  }
}
