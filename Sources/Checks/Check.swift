internal import Core

/// One rule for ads: a function of a render's findings, and the texts that help a user to correct the ad.
package struct Check: Sendable {
  /// Stable name in kebab case, never reused for another rule; policies, profiles and reports refer to it.
  package let id: String
  package let family: CheckFamily
  /// Severity of its findings, unless a profile or the policy sets another.
  package let severity: Severity
  /// Title of a few words for tables.
  package let title: String
  /// Reason why the rule matters, in one sentence.
  package let why: String
  /// Instruction for the author, in one sentence.
  package let remedy: String
  /// Source of the rule, with its date.
  package let source: Citation
  /// Preconditions without which an answer without an issue doesn't count.
  package let needs: Set<Precondition>
  /// Returns the preconditions that depend on the creative, in addition to `needs`.
  package let alsoNeeds: @Sendable (CheckContext) -> Set<Precondition>
  /// Indicates if it uses rules of profiles only, so that it can't judge without one.
  package let needsProfile: Bool
  /// Indicates if those rules are numbers.
  package let takesLimit: Bool
  /// Returns the issues: none if the ad keeps the rule; nil if there is nothing here to judge.
  package let judge: @Sendable (CheckContext) throws -> [CheckIssue]?

  package init(
    _ id: String, family: CheckFamily, severity: Severity, title: String, why: String, remedy: String,
    source: Citation, needs: Set<Precondition>,
    alsoNeeds: @escaping @Sendable (CheckContext) -> Set<Precondition> = { _ in [] },
    needsProfile: Bool = false, takesLimit: Bool = false,
    judge: @escaping @Sendable (CheckContext) throws -> [CheckIssue]?
  ) {
    self.id = id
    self.family = family
    self.severity = severity
    self.title = title
    self.why = why
    self.remedy = remedy
    self.source = source
    self.needs = needs
    self.alsoNeeds = alsoNeeds
    self.needsProfile = needsProfile
    self.takesLimit = takesLimit
    self.judge = judge
  }
}

extension Check {
  /// All checks by family, in the order of reports; the order is part of the API.
  package static let all: [Check] =
    MRAIDChecks.all + BehaviourChecks.all + MotionChecks.all + CloseChecks.all + WeightChecks.all + RequestChecks.all
    + HeavyAdChecks.all + SecurityChecks.all + OMIDChecks.all + RobustnessChecks.all + AccessibilityChecks.all
    + LayoutChecks.all + SizeRuleChecks.all + ExpectationChecks.all + ChromiumDifferenceChecks.all

  /// Returns the check with an id.
  package static func named(_ id: String) -> Check? { all.first { $0.id == id } }

  /// Returns the preconditions that aren't met by the evidence.
  func missing(in context: CheckContext) -> Set<Precondition> {
    needs.union(alsoNeeds(context)).filter { !$0.isMet(by: context) }
  }
}

extension Check {
  /// A measured number, and the texts that distinguish it from others of its kind.
  package struct Reading: Sendable {
    package let value: Double
    /// Name of the measured object, as `the initial load` or `hero.png`.
    package let what: String
    package let subject: String
    package let place: Finding.Place?

    package init(_ value: Double, what: String, subject: String = "", place: Finding.Place? = nil) {
      self.value = value
      self.what = what
      self.subject = subject
      self.place = place
    }
  }

  /// Creates a check of numbers for which networks have different limits; compares readings with the chosen profiles'.
  package static func limit(
    _ id: String, family: CheckFamily, unit: Unit, title: String, why: String, remedy: String, source: Citation,
    needs: Set<Precondition>,
    readings: @escaping @Sendable (CheckContext) throws -> [Reading]?
  ) -> Check {
    Check(
      id, family: family, severity: .error, title: title, why: why, remedy: remedy, source: source, needs: needs,
      needsProfile: true, takesLimit: true
    ) { context in
      let limits = context.limits(for: id)
      guard !limits.isEmpty, let readings = try readings(context) else { return nil }
      return readings.compactMap { issue($0, over: limits, unit: unit) }
    }
  }

  /// Returns one issue for a reading that exceeds any limits; its measure has the lowest of them, the author's target.
  private static func issue(_ reading: Reading, over limits: [CheckContext.Limit], unit: Unit) -> CheckIssue? {
    let broken = limits.filter { reading.value > $0.value }
    guard let tightest = broken.map(\.value).min() else { return nil }
    let allowed = broken.map { "\($0.profile) allows \(unit.text($0.value))" }.joined(separator: ", ")
    var issue = CheckIssue(
      "\(reading.what) \(unit.verb) \(unit.text(reading.value)): \(allowed)", subject: reading.subject,
      place: reading.place,
      measure: Finding.Measure(value: reading.value, limit: tightest, unit: unit.rawValue))
    issue.profiles = broken.map(\.profile)
    issue.severity = broken.map(\.severity).max()
    return issue
  }
}

/// Unit of a measure, as written in `Finding.Measure.unit`.
package enum Unit: String, Sendable, CaseIterable {
  case bytes = "B"
  case seconds = "s"
  case percent = "%"
  case requests, files, characters, flashes, loops, cookies, pixels, frames

  /// Text of a number for users: `150 kB` (a thousand bytes each), `15 s`, `10 requests`.
  package func text(_ value: Double) -> String {
    switch self {
    case .bytes where value >= 999_950: "\(Self.rounded(value / 1_000_000)) MB"
    case .bytes where value >= 1_000: "\(Self.rounded(value / 1_000)) kB"
    case .bytes: "\(Self.rounded(value)) bytes"
    case .seconds, .percent: "\(Self.rounded(value)) \(rawValue)"
    default: "\(Self.rounded(value)) \(value == 1 ? String(rawValue.dropLast(ending)) : rawValue)"
    }
  }

  /// Verb between the name of a measured object and the number.
  fileprivate var verb: String { self == .seconds ? "lasts" : "has" }

  /// Number of letters that form the plural.
  private var ending: Int { self == .flashes ? 2 : 1 }

  /// Rounds up to a tenth, so that a number over a limit also reads so.
  private static func rounded(_ value: Double) -> String {
    NumberText.tenths(value - 1e-7, rounding: .up)
  }
}

/// Part of an ad that a check concerns; the order is that of a report's sections.
package enum CheckFamily: String, Sendable, Codable, CaseIterable {
  case mraid, behaviour, close, weight, requests, heavyAd, security, measurement, robustness, accessibility, layout
  /// Expectations of the caller about this creative: its scenario, its deadline.
  case expectation
  /// Differences between Android's web view and the engine of the screenshots.
  case chromiumDiffers

  /// Indicates if its checks count only if a profile names them.
  package var isOptional: Bool { self == .chromiumDiffers }
}
