internal import Core

/// One rule an ad is judged by: a pure function over what a render found, and what a person needs to act on it.
package struct Check: Sendable {
  /// Stable, kebab-case, never reused for another rule: policies, profiles and reports name it.
  package let id: String
  package let family: CheckFamily
  /// What its findings weigh, unless a profile or the policy says otherwise.
  package let severity: Severity
  /// A few words for tables.
  package let title: String
  /// Why it matters, in one sentence.
  package let why: String
  /// What an author does about it, in one sentence.
  package let remedy: String
  /// Who says so, and when.
  package let source: Citation
  /// Whether it judges by rules of profiles only, and has nothing to say without one.
  package let needsProfile: Bool
  /// Whether those rules are numbers.
  package let takesLimit: Bool
  /// What is wrong: nothing, when all is well; nil when there is nothing here for it to judge.
  package let judge: @Sendable (CheckContext) throws -> [CheckIssue]?

  package init(
    _ id: String, family: CheckFamily, severity: Severity, title: String, why: String, remedy: String,
    source: Citation, needsProfile: Bool = false, takesLimit: Bool = false,
    judge: @escaping @Sendable (CheckContext) throws -> [CheckIssue]?
  ) {
    self.id = id
    self.family = family
    self.severity = severity
    self.title = title
    self.why = why
    self.remedy = remedy
    self.source = source
    self.needsProfile = needsProfile
    self.takesLimit = takesLimit
    self.judge = judge
  }
}

extension Check {
  /// Every check, family by family in the order of reports; the order is an API.
  package static let all: [Check] =
    MRAIDChecks.all + BehaviourChecks.all + MotionChecks.all + CloseChecks.all + WeightChecks.all + RequestChecks.all
    + HeavyAdChecks.all + SecurityChecks.all + OMIDChecks.all + RobustnessChecks.all + AccessibilityChecks.all
    + LayoutChecks.all + ExpectationChecks.all + ChromiumDifferenceChecks.all

  /// The check of an id.
  package static func named(_ id: String) -> Check? { all.first { $0.id == id } }
}

extension Check {
  /// Something measured, and what tells it from others of its kind.
  package struct Reading: Sendable {
    package let value: Double
    /// `the initial load`, `hero.png`
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

  /// A check of numbers that networks disagree on: each reading against the limits of the chosen profiles.
  package static func limit(
    _ id: String, family: CheckFamily, unit: Unit, title: String, why: String, remedy: String, source: Citation,
    readings: @escaping @Sendable (CheckContext) throws -> [Reading]?
  ) -> Check {
    Check(
      id, family: family, severity: .error, title: title, why: why, remedy: remedy, source: source, needsProfile: true,
      takesLimit: true
    ) { context in
      let limits = context.limits(for: id)
      guard !limits.isEmpty, let readings = try readings(context) else { return nil }
      return readings.compactMap { issue($0, over: limits, unit: unit) }
    }
  }

  /// One remark however many profiles refuse the number: the tightest limit is what an author works towards.
  private static func issue(_ reading: Reading, over limits: [CheckContext.Limit], unit: Unit) -> CheckIssue? {
    let broken = limits.filter { reading.value > $0.value }
    guard let tightest = broken.map(\.value).min() else { return nil }
    let allowed = broken.map { "\($0.profile) allows \(unit.text($0.value))" }.joined(separator: ", ")
    var issue = CheckIssue(
      "\(reading.what) has \(unit.text(reading.value)): \(allowed)", subject: reading.subject, place: reading.place,
      measure: Finding.Measure(value: reading.value, limit: tightest, unit: unit.rawValue))
    issue.profiles = broken.map(\.profile)
    issue.severity = broken.map(\.severity).max()
    return issue
  }
}

/// What a measure counts in, as `Finding.Measure.unit` writes it.
package enum Unit: String, Sendable, CaseIterable {
  case bytes = "B"
  case seconds = "s"
  case percent = "%"
  case requests, files, characters, flashes, loops, cookies, pixels, frames

  /// A number for people: `150 kB` (a thousand bytes each), `15 s`, `10 requests`.
  package func text(_ value: Double) -> String {
    switch self {
    case .bytes where value >= 999_950: "\(Self.rounded(value / 1_000_000)) MB"
    case .bytes where value >= 1_000: "\(Self.rounded(value / 1_000)) kB"
    case .bytes: "\(Self.rounded(value)) bytes"
    case .seconds, .percent: "\(Self.rounded(value)) \(rawValue)"
    default: "\(Self.rounded(value)) \(value == 1 ? String(rawValue.dropLast(ending)) : rawValue)"
    }
  }

  /// Letters that make the plural.
  private var ending: Int { self == .flashes ? 2 : 1 }

  /// A tenth at most, upwards, so that what is over a limit reads so.
  private static func rounded(_ value: Double) -> String {
    NumberText.tenths(value - 1e-7, rounding: .up)
  }
}

/// What part of an ad a check is about; the order of sections in a report.
package enum CheckFamily: String, Sendable, Codable, CaseIterable {
  case mraid, behaviour, close, weight, requests, heavyAd, security, measurement, robustness, accessibility, layout
  /// What the caller expects of this very creative: its scenario, its deadline.
  case expectation
  /// What Android's web view does otherwise than the engine of the pictures.
  case chromiumDiffers

  /// Whether its checks are heard of only where a profile names them.
  package var isOptional: Bool { self == .chromiumDiffers }
}
