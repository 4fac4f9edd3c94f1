internal import Core
package import RenderModel

/// Complete result of a run of `galley check`; report formats need only this and the results' folders.
package struct CheckReport: Hashable, Sendable, Codable {
  /// A check as quoted in reports, so that they can be read without the catalogue.
  package struct Rule: Hashable, Sendable, Codable {
    package var id: String
    package var family: CheckFamily
    package var severity: Severity
    package var title: String
    /// Reason why the rule matters, in one sentence.
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
  /// A network's set of rules, as named in the acceptance matrix.
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
  /// All rules that were applied, in the catalogue's order.
  package var rules: [Rule]
  package var profiles: [ProfileSummary]
  /// Reports of the creatives in the order of the call, whichever shard rendered them.
  package var creatives: [CreativeReport]
  /// Lowest severity that fails a creative by the policy; nil for errors.
  package var failsOn: Severity?
  /// Indicates if a rule of a profile that wasn't tried fails a creative; nil in older reports.
  package var strict: Bool?
  /// Policy that was applied; nil in older reports.
  package var policy: PolicySource?
  /// Part of a batch that the report covers; nil for all of it.
  package var part: ReportPart?

  package init(galley: String, rules: [Rule], profiles: [ProfileSummary], creatives: [CreativeReport]) {
    self.galley = galley
    self.rules = rules
    self.profiles = profiles
    self.creatives = creatives
  }
}

/// Verdict on one creative on one device.
package struct CreativeReport: Hashable, Sendable, Codable {
  package enum Status: String, Sendable, Codable, CaseIterable {
    /// No finding fails it by the policy.
    case passed
    case failed
    /// A deadline passed before it could be judged.
    case timedOut
    /// Galley or its machine failed; this says nothing about the creative.
    case broken
  }
  /// A finding that the policy suppresses.
  package struct Suppressed: Hashable, Sendable, Codable {
    package var finding: Finding
    package var reason: String
    /// Last day of the suppression, as `2026-12-31`; nil for no end.
    package var expires: String?
    package init(finding: Finding, reason: String, expires: String?) {
      self.finding = finding
      self.reason = reason
      self.expires = expires
    }
  }
  /// A check that failed to judge, because of its own error, not the creative's.
  package struct BrokenCheck: Hashable, Sendable, Codable {
    package var check: String
    package var message: String
    package init(check: String, message: String) {
      self.check = check
      self.message = message
    }
  }

  /// Name of the result's folder, unique in the run.
  package var name: String
  /// Path of the result's folder (result.json, events.ndjson, screenshots), relative to the report's; empty for none.
  package var folder: String
  package var record: RenderRecord
  package var status: Status
  /// Findings, worst first, then in the catalogue's order, then in the log's.
  package var findings: [Finding]
  package var suppressed: [Suppressed]
  package var brokenChecks: [BrokenCheck]
  /// Ids of the checks that had something to judge here and found no issue.
  package var passedChecks: [String]
  /// Checks without an issue that lack a precondition, in the catalogue's order; nil in older reports.
  package var notTried: [NotTried]?
  /// Rows in the profiles' order.
  package var acceptance: [Acceptance]
  /// Indicates if the ad was tapped, pressed or swiped; nil if nothing was rendered, and in older reports.
  package var touched: Bool?
  /// Name of the playable's build that was rendered in a network's host; nil for other checks.
  package var build: String?
  /// Recording of the fullest way through a playable, in the result's folder; nil if none was made.
  package var film: String?

  package init(
    name: String, folder: String, record: RenderRecord, status: Status, findings: [Finding] = [],
    suppressed: [Suppressed] = [], brokenChecks: [BrokenCheck] = [], passedChecks: [String] = [],
    notTried: [NotTried]? = nil, acceptance: [Acceptance] = []
  ) {
    self.name = name
    self.folder = folder
    self.record = record
    self.status = status
    self.findings = findings
    self.suppressed = suppressed
    self.brokenChecks = brokenChecks
    self.passedChecks = passedChecks
    self.notTried = notTried
    self.acceptance = acceptance
  }
}
