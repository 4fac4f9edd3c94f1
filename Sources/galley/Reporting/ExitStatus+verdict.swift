internal import Checks

extension ExitStatus {
  /// What one verdict means for the exit code.
  init(_ creative: CreativeReport) {
    self =
      switch creative.status {
      case .passed: .pass
      case .failed: .findings
      case .timedOut: .deadline
      case .broken: .engine
      }
  }
}
