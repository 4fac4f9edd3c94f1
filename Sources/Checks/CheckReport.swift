internal import Core
package import RenderModel

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

  package var schema = Galley.schema
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

/// The verdict on one creative on one device.
package struct CreativeReport: Hashable, Sendable, Codable {
  package enum Status: String, Sendable, Codable, CaseIterable {
    /// Nothing found that fails it by the policy.
    case passed
    case failed
    /// A deadline passed before it could be judged.
    case timedOut
    /// Galley or the machine under it failed; says nothing about the creative.
    case broken
  }
  /// A finding that the policy says to overlook.
  package struct Suppressed: Hashable, Sendable, Codable {
    package var finding: Finding
    package var reason: String
    /// `2026-12-31`
    package var expires: String?
    package init(finding: Finding, reason: String, expires: String?) {
      self.finding = finding
      self.reason = reason
      self.expires = expires
    }
  }
  /// A check that couldn't judge: its own fault, never the creative's.
  package struct BrokenCheck: Hashable, Sendable, Codable {
    package var check: String
    package var message: String
    package init(check: String, message: String) {
      self.check = check
      self.message = message
    }
  }
  /// A row of the acceptance matrix.
  package struct Acceptance: Hashable, Sendable, Codable {
    package var profile: String
    package var accepted: Bool
    /// Ids of the checks that refuse it, in the catalogue's order.
    package var refusedBy: [String]
    package init(profile: String, accepted: Bool, refusedBy: [String]) {
      self.profile = profile
      self.accepted = accepted
      self.refusedBy = refusedBy
    }
  }

  /// The result folder's name, unique in the run.
  package var name: String
  /// The result's folder, relative to the report's; holds result.json, events.ndjson, screenshots; empty for none.
  package var folder: String
  package var record: RenderRecord
  package var status: Status
  /// Worst first, then in the catalogue's order, then in the log's.
  package var findings: [Finding]
  package var suppressed: [Suppressed]
  package var brokenChecks: [BrokenCheck]
  /// Ids of the checks that had something to judge here and found nothing.
  package var passedChecks: [String]
  /// In the profiles' order; a profile that couldn't be judged by has no row.
  package var acceptance: [Acceptance]

  package init(
    name: String, folder: String, record: RenderRecord, status: Status, findings: [Finding] = [],
    suppressed: [Suppressed] = [], brokenChecks: [BrokenCheck] = [], passedChecks: [String] = [],
    acceptance: [Acceptance] = []
  ) {
    self.name = name
    self.folder = folder
    self.record = record
    self.status = status
    self.findings = findings
    self.suppressed = suppressed
    self.brokenChecks = brokenChecks
    self.passedChecks = passedChecks
    self.acceptance = acceptance
  }
}
