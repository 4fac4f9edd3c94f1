internal import Core
package import MRAID
package import RenderModel

/// Result of a verification, stored beside a creative's results so that it can be approved without rendering again.
package struct Candidate: Sendable, Codable {
  /// Compared part of a creative: a picture, the event log, the states or the files.
  package struct Part: Hashable, Sendable, Codable {
    package let name: String
    package let verdict: BaselineVerdict
    /// New picture or log, relative to the result's folder; nil for a missing part, and for states.
    package let file: String?
    /// Hash of that file at the time of the comparison.
    package let sha256: String?
    /// Picture of the baseline that stays, so that a new one within the tolerance isn't stored again.
    package let kept: BaselineManifest.Screenshot?
    /// Name of the compared picture in the baseline, if its number differs.
    package var replaces: String?
    /// Indicates if all renders agreed; may be false for a picture that could be judged in the end.
    package let steady: Bool
    /// Number of differing pixels in a changed picture.
    package var differing: Int?
    /// Paths of the diff pictures, by their kind.
    package var written: [String: String]?

    package init(
      _ judgement: PartVerdict, file: String?, sha256: String?, kept: BaselineManifest.Screenshot? = nil
    ) {
      (name, verdict, steady) = (judgement.name, judgement.verdict, judgement.isSteady)
      (self.file, self.sha256, self.kept) = (file, sha256, kept)
    }
  }

  /// Name of the file in a result's folder.
  package static let fileName = "baseline.json"

  /// Schema version of this document.
  package private(set) var schema = Galley.schema
  package let key: BaselineKey
  /// Absolute path of the store.
  package let store: String
  /// Working folder of the verification; nil in verifications of older versions.
  package let directory: String?
  package let source: String
  package let verdict: CreativeVerdict
  /// Number of renders.
  package let renders: Int
  /// Hash of the manifest that was compared; nil if there was none.
  package internal(set) var against: String?
  /// Differences between the fingerprints of the baseline and of this machine; nil for none.
  package let differences: [String]?
  package let fingerprint: Fingerprint
  package let states: [MRAIDState]
  package var parts: [Part]
  /// Differences in the event log; nil for none.
  package let findings: [String]?
  /// Seed of random numbers in the renders, and start date of their clock, as in a manifest.
  package let seed: UInt32?
  package let date: Double?
  /// Requested settings of the user, as in a manifest.
  package let locale: LanguageTag?
  package let timeZone: TimeZoneName?
  package let colorScheme: ColorScheme?
  package let reducedMotion: Bool?
  /// Creative's files as they were handed in, as in a manifest.
  package let files: DeliveredFiles?
  /// Files that differ from the baseline's; nil for none.
  package let fileChanges: [FileChange]?
  /// False if there is a baseline without a list of files.
  package let filesCompared: Bool?

  package init(
    key: BaselineKey, store: String, directory: String?, source: String, verdict: CreativeVerdict, renders: Int,
    against: String?, differences: [String], fingerprint: Fingerprint, states: [MRAIDState], parts: [Part],
    findings: [String], seed: UInt32? = nil, date: Double? = nil, settings: UserSettings = UserSettings(),
    files: DeliveredFiles? = nil, fileChanges: [FileChange] = [], filesCompared: Bool? = nil
  ) {
    (self.files, self.filesCompared) = (files, filesCompared)
    self.fileChanges = fileChanges.isEmpty ? nil : fileChanges
    (locale, timeZone) = (settings.locale, settings.timeZone)
    (colorScheme, reducedMotion) = (settings.colorScheme, settings.reducedMotion)
    (self.seed, self.date) = (seed, date)
    (self.key, self.store, self.directory, self.source, self.verdict) = (key, store, directory, source, verdict)
    (self.renders, self.against, self.fingerprint, self.states) = (renders, against, fingerprint, states)
    self.parts = parts
    self.differences = differences.isEmpty ? nil : differences
    self.findings = findings.isEmpty ? nil : findings
  }

  /// Requested settings of the user.
  var settings: UserSettings {
    UserSettings(locale: locale, timeZone: timeZone, colorScheme: colorScheme, reducedMotion: reducedMotion)
  }

  /// Indicates if all names are safe as paths, since the verification may come from another machine.
  var isSound: Bool { parts.allSatisfy(\.isSound) }
}

extension Candidate.Part {
  fileprivate var isSound: Bool {
    let hashes = [sha256, kept?.sha256, kept?.drawn].compactMap(\.self) + (kept?.variants ?? []).map(\.sha256)
    let names = [name, kept?.name, replaces].compactMap(\.self)
    return names.allSatisfy { AbsolutePath.isPlain($0) && !$0.utf8.contains(UInt8(ascii: "/")) }
      && hashes.allSatisfy { $0.utf8.count == 64 && $0.utf8.allSatisfy(Self.isDigit) }
      && file.map(AbsolutePath.isPlain) != false
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) || (97...102).contains(byte) }
}
