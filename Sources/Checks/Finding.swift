/// One thing wrong with one creative, told so that its author can act on it.
package struct Finding: Hashable, Sendable, Codable {
  /// A place in one of the creative's files.
  package struct Place: Hashable, Sendable, Codable {
    /// Relative to the creative's root, or an address.
    package var file: String
    /// From 1.
    package var line: Int?
    package var column: Int?
    package init(file: String, line: Int? = nil, column: Int? = nil) {
      self.file = file
      self.line = line
      self.column = column
    }
  }
  /// A number that was held against a limit.
  package struct Measure: Hashable, Sendable, Codable {
    package var value: Double
    package var limit: Double
    /// `B`, `s`, `%`, `requests`, …
    package var unit: String
    package init(value: Double, limit: Double, unit: String) {
      self.value = value
      self.limit = limit
      self.unit = unit
    }
  }

  /// The id of the check: `mraid-premature-call`.
  package var check: String
  package var severity: Severity
  /// What is wrong here, in one line, with the names and numbers of this creative.
  package var message: String
  /// The profiles whose rule this is; empty when it is everybody's.
  package var profiles: [String]
  package var place: Place?
  package var measure: Measure?
  /// The `seq` of the event that shows it.
  package var event: Int?
  /// The name of the picture of the moment: `002-expanded`.
  package var screenshot: String?
  /// What stays the same when only times, addresses of builds and the order of findings change; for suppressions, SARIF.
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

/// What a check says is wrong, before it is signed with the check's id and weighed.
package struct CheckIssue: Hashable, Sendable {
  /// One line, with the names and numbers of this creative.
  package var message: String
  /// What tells it from the check's other remarks and stays the same from run to run: a method, a file, a selector.
  package var subject: String
  /// The profiles whose limit it breaks; empty when it is everybody's.
  package var profiles: [String] = []
  /// What it weighs when it isn't what the check's findings usually do.
  package var severity: Severity?
  package var place: Finding.Place?
  package var measure: Finding.Measure?
  /// The `seq` of the event that shows it, in the render's own log.
  package var event: Int?
  /// The picture of the moment.
  package var screenshot: String?

  /// `subject` is empty where a check has one thing to say at most.
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
