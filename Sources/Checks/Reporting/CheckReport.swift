/// What a run of `galley check` found, whole: the only thing a report format is made from, besides the results' folders.
package struct CheckReport: Hashable, Sendable, Codable {
  /// A check as reports cite it, so that they stand without the catalogue.
  package struct Rule: Hashable, Sendable, Codable {
    package var id: String
    package var family: CheckFamily
    package var severity: Severity
    package var title: String
    /// Why it matters, in one sentence.
    package var why: String
    package var remedy: String
    package var source: Citation

    package init(
      id: String, family: CheckFamily, severity: Severity, title: String, why: String, remedy: String, source: Citation
    ) {
      self.id = id
      self.family = family
      self.severity = severity
      self.title = title
      self.why = why
      self.remedy = remedy
      self.source = source
    }
  }
  /// A network's set of rules, as the acceptance matrix names it.
  package struct ProfileSummary: Hashable, Sendable, Codable {
    package var id: String
    package var title: String
    package init(id: String, title: String) {
      self.id = id
      self.title = title
    }
  }

  package var schema = 1
  package var galley: String
  /// Every rule that was judged by, in the catalogue's order.
  package var rules: [Rule]
  package var profiles: [ProfileSummary]
  /// In the order of the call, whatever shard rendered them.
  package var creatives: [CreativeReport]
  /// The least that fails a creative by the policy; nil for errors.
  package var failsOn: Severity?
  /// Which part of a batch this is about; nil for all of it.
  package var part: ReportPart?

  package init(galley: String, rules: [Rule], profiles: [ProfileSummary], creatives: [CreativeReport]) {
    self.galley = galley
    self.rules = rules
    self.profiles = profiles
    self.creatives = creatives
  }
}
