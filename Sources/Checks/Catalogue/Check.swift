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
  package let judge: @Sendable (Evidence) throws -> [Remark]?

  package init(
    _ id: String, family: CheckFamily, severity: Severity, title: String, why: String, remedy: String,
    source: Citation, needsProfile: Bool = false, takesLimit: Bool = false,
    judge: @escaping @Sendable (Evidence) throws -> [Remark]?
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
