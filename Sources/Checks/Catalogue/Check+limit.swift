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
    readings: @escaping @Sendable (Evidence) throws -> [Reading]?
  ) -> Check {
    Check(
      id, family: family, severity: .error, title: title, why: why, remedy: remedy, source: source, needsProfile: true,
      takesLimit: true
    ) { evidence in
      let limits = evidence.limits(for: id)
      guard !limits.isEmpty, let readings = try readings(evidence) else { return nil }
      return readings.compactMap { remark($0, over: limits, unit: unit) }
    }
  }

  /// One remark however many profiles refuse the number: the tightest limit is what an author works towards.
  private static func remark(_ reading: Reading, over limits: [Evidence.Limit], unit: Unit) -> Remark? {
    let broken = limits.filter { reading.value > $0.value }
    guard let tightest = broken.map(\.value).min() else { return nil }
    let allowed = broken.map { "\($0.profile) allows \(unit.text($0.value))" }.joined(separator: ", ")
    var remark = Remark(
      "\(reading.what) has \(unit.text(reading.value)): \(allowed)", subject: reading.subject, place: reading.place,
      measure: Finding.Measure(value: reading.value, limit: tightest, unit: unit.rawValue))
    remark.profiles = broken.map(\.profile)
    remark.severity = broken.map(\.severity).max()
    return remark
  }
}
