package import Application
package import Checks
package import Comparison
package import Core
internal import Glibc
package import RenderModel

/// The command's exit codes; the only place that knows their numbers.
///
/// When creatives end differently the worst wins, in the order interrupted, engine, deadline, usage, baseline missing,
/// findings: first what says that the run itself can't be trusted, last what the creatives themselves are to blame for.
package enum ExitStatus: Int32, Error, CaseIterable {
  case pass = 0
  /// A creative failed, crashed or missed an expectation of its scenario.
  case findings = 1
  /// Bad options, an unknown device, no such file, a malformed scenario.
  case usage = 2
  /// Galley or the machine under it failed.
  case engine = 3
  /// A creative wasn't done in the time allowed.
  case deadline = 4
  /// There is no baseline to compare with, or none that the same machine drew.
  case baselineMissing = 5
  /// Ended by a signal before all was done.
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

  /// What one render means for the exit code.
  package init(_ record: RenderRecord) {
    switch record.outcome {
    case .completed: self = .pass
    case .timedOut: self = .deadline
    case .failed, .crashed: self = record.origin.map(ExitStatus.init) ?? .findings
    }
  }

  /// The one that stands for all; `pass` for none.
  package init(worstOf statuses: some Sequence<ExitStatus>) {
    let all = Set(statuses)
    self = Self.worstFirst.first(where: all.contains) ?? .pass
  }

  private static let worstFirst: [ExitStatus] = [.interrupted, .engine, .deadline, .usage, .baselineMissing, .findings]

  /// For `--help` of what renders.
  package static let help = """
    Exit codes: 0 all passed, 1 a creative failed or crashed, 2 wrong usage, 3 Galley or the machine failed, \
    4 a deadline passed, 130 interrupted. With several creatives the first of 130, 3, 4, 2, 1 that applies.
    """

  /// For galley's own.
  package static let wholeHelp = """
    Exit codes: 0 all passed, 1 a creative failed or crashed, 2 wrong usage, 3 Galley or the machine failed, \
    4 a deadline passed, 5 a baseline is missing, 130 interrupted. With several creatives the first of 130, 3, 4, 2, \
    5, 1 that applies.
    """

  package func exit() -> Never { Glibc.exit(rawValue) }
}

extension ExitStatus {
  /// What one verdict means for the exit code; who is to blame for a broken one stands in its record.
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
  /// A creative passes when any container shows it: that they differ is no fault.
  package init(_ verdict: ContainerVerdict) {
    let statuses = (verdict.runs.map(\.record) + [verdict.refusal].compactMap(\.self)).map { ExitStatus($0) }
    self = statuses.contains(.engine) ? .engine : statuses.contains(.pass) ? .pass : ExitStatus(worstOf: statuses)
  }
}

extension ExitStatus {
  /// What several renders of a creative mean, or that it couldn't be opened.
  package init(records: [RenderRecord], refusal: RenderRecord?) {
    self.init(worstOf: (records + [refusal].compactMap(\.self)).map { ExitStatus($0) })
  }
}

extension BatchResult {
  package var status: ExitStatus { ExitStatus(worstOf: interrupted ? [.interrupted] : records.map { ExitStatus($0) }) }
}

extension BaselineOutcome {
  /// What it means for a verification's exit code.
  package var status: ExitStatus {
    if let problem { return ExitStatus(problem.origin) }
    if let failure { return ExitStatus(failure) }
    switch verdict {
    case .unchanged: return .pass
    case .changed: return .findings
    case .new, .refused: return .baselineMissing
    case .failed: return .engine
    }
  }
}
