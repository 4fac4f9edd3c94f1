internal import Baselines
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

  init(name: String, failure: RenderRecord?) {
    (self.name, self.failure) = (name, failure)
  }

  init(name: String, folder: String, candidate: Candidate) {
    (self.name, self.folder, self.candidate) = (name, folder, candidate)
  }

  init(name: String, problem: Fault) {
    (self.name, self.problem) = (name, problem)
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
