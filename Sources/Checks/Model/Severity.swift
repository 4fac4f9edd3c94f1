/// How much a finding weighs; what fails a run is decided by the policy.
package enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
  /// Worth knowing.
  case note
  /// Works, but not for everybody, or not for long.
  case warning
  /// Networks or devices refuse or break the ad for it.
  case error

  package static func < (one: Severity, other: Severity) -> Bool { one.rank < other.rank }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}
