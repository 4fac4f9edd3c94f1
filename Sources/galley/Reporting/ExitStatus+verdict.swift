internal import Checks

extension ExitStatus {
  /// What one verdict means for the exit code; who is to blame for a broken one stands in its record.
  init(_ creative: CreativeReport) {
    self =
      switch creative.status {
      case .passed: .pass
      case .failed: .findings
      case .timedOut: .deadline
      case .broken: ExitStatus(creative.record)
      }
  }
}
