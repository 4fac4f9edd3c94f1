internal import Core
package import MRAID

/// What a verification leaves beside a creative's results, so that it can be approved without rendering again.
package struct Candidate: Sendable, Codable {
  /// A picture, the event log or the states.
  package struct Part: Hashable, Sendable, Codable {
    package let name: String
    package let verdict: BaselineVerdict
    /// The new picture or log, from the result's folder; nil for what is missing, and for states.
    package let file: String?
    /// Of that file as it was compared.
    package let sha256: String?
    /// The baseline's picture where it stays, so that what only looks the same is never stored again.
    package let kept: BaselineManifest.Screenshot?
    /// The name of the baseline's picture that it was compared with, where that has another number.
    package var replaces: String?
    /// Whether renders disagreed, though the picture may have been judged in the end.
    package let steady: Bool
    /// How many pixels differ, of a changed picture.
    package var differing: Int?
    /// Pictures of the difference, by what they show.
    package var written: [String: String]?

    package init(
      _ judgement: PartVerdict, file: String?, sha256: String?, kept: BaselineManifest.Screenshot? = nil
    ) {
      (name, verdict, steady) = (judgement.name, judgement.verdict, judgement.isSteady)
      (self.file, self.sha256, self.kept) = (file, sha256, kept)
    }
  }

  /// The file's name in a result's folder.
  package static let fileName = "baseline.json"

  /// The version of this document's shape.
  package private(set) var schema = Galley.schema
  package let key: BaselineKey
  /// The store's absolute path.
  package let store: String
  /// The folder in which the verification was called; nil in those of before.
  package let directory: String?
  package let source: String
  package let verdict: CreativeVerdict
  /// Renders it took.
  package let renders: Int
  /// The hash of the manifest it was compared with; nil when there was none.
  package internal(set) var against: String?
  /// What is other in what drew it.
  package let differences: [String]?
  package let fingerprint: Fingerprint
  package let states: [MRAIDState]
  package var parts: [Part]
  /// What the event log says differently.
  package let findings: [String]?
  /// What chance began from in its renders, and the date that it found, as in a manifest.
  package let seed: UInt32?
  package let date: Double?

  package init(
    key: BaselineKey, store: String, directory: String?, source: String, verdict: CreativeVerdict, renders: Int,
    against: String?, differences: [String], fingerprint: Fingerprint, states: [MRAIDState], parts: [Part],
    findings: [String], seed: UInt32? = nil, date: Double? = nil
  ) {
    (self.seed, self.date) = (seed, date)
    (self.key, self.store, self.directory, self.source, self.verdict) = (key, store, directory, source, verdict)
    (self.renders, self.against, self.fingerprint, self.states) = (renders, against, fingerprint, states)
    self.parts = parts
    self.differences = differences.isEmpty ? nil : differences
    self.findings = findings.isEmpty ? nil : findings
  }
}
