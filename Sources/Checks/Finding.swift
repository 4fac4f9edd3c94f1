/// A fault of one creative, described for its author.
package struct Finding: Hashable, Sendable, Codable {
  /// A place in one of the creative's files.
  package struct Place: Hashable, Sendable, Codable {
    /// Path relative to the creative's root, or an address.
    package var file: String
    /// Line from 1.
    package var line: Int?
    package var column: Int?
    package init(file: String, line: Int? = nil, column: Int? = nil) {
      self.file = file
      self.line = line
      self.column = column
    }
  }
  /// A number and the limit that it was compared with.
  package struct Measure: Hashable, Sendable, Codable {
    package var value: Double
    package var limit: Double
    /// Unit, as `B`, `s`, `%`, `requests`, …
    package var unit: String
    package init(value: Double, limit: Double, unit: String) {
      self.value = value
      self.limit = limit
      self.unit = unit
    }
  }

  /// Id of the check, as `mraid-premature-call`.
  package var check: String
  package var severity: Severity
  /// Description of the fault in one line, with the names and numbers of this creative.
  package var message: String
  /// Profiles whose rule it breaks; empty for a general rule.
  package var profiles: [String]
  package var place: Place?
  package var measure: Measure?
  /// Number (`seq`) of the event that shows it.
  package var event: Int?
  /// Name of the screenshot at that moment, as `002-expanded`.
  package var screenshot: String?
  /// Key for suppressions and SARIF, unaffected by changes of times, builds' addresses and the order of findings.
  package var key: String

  package init(
    check: String, severity: Severity, message: String, profiles: [String] = [], place: Place? = nil,
    measure: Measure? = nil, event: Int? = nil, screenshot: String? = nil, key: String
  ) {
    self.check = check
    self.severity = severity
    self.message = message
    self.profiles = profiles
    self.place = place
    self.measure = measure
    self.event = event
    self.screenshot = screenshot
    self.key = key
  }
}

/// Weight of a finding; the policy decides which weight fails a run.
package enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
  /// Information.
  case note
  /// The ad works, but not for all users, or not for long.
  case warning
  /// Networks or devices refuse or break the ad because of it.
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

/// Fault found by a check, before the check's id and severity are added.
package struct CheckIssue: Hashable, Sendable {
  /// Description in one line, with the names and numbers of this creative.
  package var message: String
  /// Part of the key that separates it from the check's other issues in every run: a method, a file, a selector.
  package var subject: String
  /// Profiles whose limit it breaks; empty for a general rule.
  package var profiles: [String] = []
  /// Severity if it differs from the check's usual one; nil otherwise.
  package var severity: Severity?
  package var place: Finding.Place?
  package var measure: Finding.Measure?
  /// Number (`seq`) of the event that shows it, in the render's own log.
  package var event: Int?
  /// Name of the screenshot at that moment.
  package var screenshot: String?

  /// Creates an issue; `subject` is empty if the check finds one issue at most.
  package init(
    _ message: String, subject: String = "", place: Finding.Place? = nil, measure: Finding.Measure? = nil,
    event: Int? = nil, screenshot: String? = nil
  ) {
    self.message = message
    self.subject = subject
    self.place = place
    self.measure = measure
    self.event = event
    self.screenshot = screenshot
  }
}
