package import Application
package import Checks
package import Comparison
package import Core
internal import Glibc
package import RenderModel

/// Exit codes of the command; the only place that defines their numbers.
///
/// If creatives end differently the worst wins, in the order interrupted, engine, deadline, usage, baseline missing,
/// findings: first the causes that make the run itself unreliable, last the faults of the creatives.
package enum ExitStatus: Int32, Error, CaseIterable {
  case pass = 0
  /// A creative failed, crashed or missed an expectation of its scenario.
  case findings = 1
  /// Bad options, an unknown device, no such file, a malformed scenario.
  case usage = 2
  /// Galley or the machine failed.
  case engine = 3
  /// A creative didn't finish within the time limit.
  case deadline = 4
  /// There is no baseline to compare with, or none drawn under the same fingerprint.
  case baselineMissing = 5
  /// A signal ended the run before all creatives were done.
  case interrupted = 130

  package init(_ origin: Fault.Origin) {
    self =
      switch origin {
      case .request: .usage
      case .creative: .findings
      case .deadline: .deadline
      case .engine: .engine
      }
  }

  /// Makes the exit code for one render.
  package init(_ record: RenderRecord) {
    switch record.outcome {
    case .completed: self = .pass
    case .timedOut: self = .deadline
    case .failed, .crashed: self = record.origin.map(ExitStatus.init) ?? .findings
    }
  }

  /// Makes the exit code for several ones, the worst of them; `pass` for none.
  package init(worstOf statuses: some Sequence<ExitStatus>) {
    let all = Set(statuses)
    self = Self.worstFirst.first(where: all.contains) ?? .pass
  }

  private static let worstFirst: [ExitStatus] = [.interrupted, .engine, .deadline, .usage, .baselineMissing, .findings]

  /// Help text on exit codes for commands that render.
  package static let help = """
    Exit codes: 0 all passed, 1 a creative failed or crashed, 2 wrong usage, 3 Galley or the machine failed, \
    4 a deadline passed, 130 interrupted. With several creatives the first of 130, 3, 4, 2, 1 that applies.
    """

  /// Help text on exit codes for galley itself.
  package static let wholeHelp = """
    Exit codes: 0 all passed, 1 a creative failed or crashed, 2 wrong usage, 3 Galley or the machine failed, \
    4 a deadline passed, 5 a baseline is missing, 130 interrupted. With several creatives the first of 130, 3, 4, 2, \
    5, 1 that applies.
    """

  package func exit() -> Never { Glibc.exit(rawValue) }
}

extension ExitStatus {
  /// Makes the exit code for one verdict; the origin of a broken one's fault is in its record.
  package init(_ creative: CreativeReport) {
    self =
      switch creative.status {
      case .passed: .pass
      case .failed: .findings
      case .timedOut: .deadline
      case .broken: ExitStatus(creative.record)
      }
  }
}

extension ExitStatus {
  /// Makes the exit code for a comparison of containers.
  ///
  /// A creative passes if any container shows it: differences between them are no fault.
  package init(_ verdict: ContainerVerdict) {
    let statuses = (verdict.runs.map(\.record) + [verdict.refusal].compactMap(\.self)).map { ExitStatus($0) }
    self = statuses.contains(.engine) ? .engine : statuses.contains(.pass) ? .pass : ExitStatus(worstOf: statuses)
  }
}

extension ExitStatus {
  /// Makes the exit code for several renders of a creative, or for one that couldn't be opened.
  package init(records: [RenderRecord], refusal: RenderRecord?) {
    self.init(worstOf: (records + [refusal].compactMap(\.self)).map { ExitStatus($0) })
  }
}

extension BatchResult {
  package var status: ExitStatus { ExitStatus(worstOf: interrupted ? [.interrupted] : records.map { ExitStatus($0) }) }
}

extension BaselineOutcome {
  /// Exit code of a verification for the outcome.
  package var status: ExitStatus {
    if let problem { return ExitStatus(problem.origin) }
    if let failure { return ExitStatus(failure) }
    switch verdict {
    case .unchanged: return .pass
    case .changed, .filesChanged: return .findings
    case .new, .refused: return .baselineMissing
    case .failed: return .engine
    }
  }
}
