package import Comparison
package import Core
internal import RenderModel

/// JSON output of recording and verifying: Schemas/baselines.schema.json.
package struct BaselineRunDocument: Encodable {
  struct Creative: Encodable {
    let name: String
    let verdict: CreativeVerdict
    let action: BaselineOutcome.Action?
    let key: BaselineKey?
    let store: String?
    let renders: Int?
    let differences: [String]?
    let parts: [Candidate.Part]?
    let findings: [String]?
    let fileChanges: [FileChange]?
    let filesCompared: Bool?
    let message: String?
    let code: String?

    init(_ outcome: BaselineOutcome, tellsStore: Bool) {
      (name, verdict, action) = (outcome.name, outcome.verdict, outcome.action)
      let candidate = outcome.candidate
      (key, store, renders) = (outcome.key, tellsStore ? candidate?.store : nil, candidate?.renders)
      (differences, parts, findings) = (candidate?.differences, candidate?.parts, candidate?.findings)
      (fileChanges, filesCompared) = (candidate?.fileChanges, candidate?.filesCompared)
      message = outcome.problem?.message ?? outcome.failure?.message
      code = outcome.problem?.code ?? outcome.failure?.code
    }
  }

  /// Schema version of this document.
  private let schema = Galley.schema
  /// Galley's version.
  private let galley = Galley.version
  private let command: String
  private let exitCode: Int32
  private let creatives: [Creative]
  private let missingCreatives: [MissingCreative]?

  /// Makes the document; `tellsStore` is false for remote callers, for whom paths of this machine have no meaning.
  package init(
    command: String, outcomes: [BaselineOutcome], gone: [MissingCreative] = [], exitCode: Int32,
    tellsStore: Bool = true
  ) {
    (self.command, self.exitCode) = (command, exitCode)
    creatives = outcomes.map { Creative($0, tellsStore: tellsStore) }
    missingCreatives = gone.isEmpty ? nil : gone
  }
}

/// Output with `--json` of baseline commands that render nothing: Schemas/baselines.schema.json.
package struct BaselineStoreDocument: Encodable {
  package struct Approved: Encodable {
    package let key: BaselineKey
    package let parts: [String]

    package init(key: BaselineKey, parts: [String]) { (self.key, self.parts) = (key, parts) }
  }

  package struct Baseline: Encodable {
    let key: BaselineKey
    let store: String
    let source: String
    let screenshots: [String]
    let flaky: [String]
    let events: Int
    let webkit: String
    let galley: String
    let device: String

    package init(_ key: BaselineKey, _ manifest: BaselineManifest, in store: BaselineStore) throws(Fault) {
      (self.key, self.store, source) = (key, store.path, manifest.source)
      screenshots = manifest.screenshots.map(\.name)
      flaky =
        manifest.screenshots.filter { $0.flaky == true }.map(\.name)
        + (manifest.events.flaky == true ? [PartName.events] : [])
      events = manifest.events.count
      let fingerprint = try store.fingerprint(of: manifest)
      (webkit, galley, device) = (fingerprint.webkit, fingerprint.galley, fingerprint.device.name)
    }

    package var line: String {
      let marked = flaky.isEmpty ? "" : ", flaky: \(flaky.joined(separator: ", "))"
      let drawn = "WebKit \(webkit), Galley \(galley)\(marked)"
      return "\(key.text)  \(screenshots.count) screenshots, \(events) events, \(drawn)"
    }
  }

  /// Schema version of this document.
  private let schema = Galley.schema
  /// Galley's version.
  private let galley = Galley.version
  private let command: String
  private let exitCode: Int32 = 0
  private let approved: [Approved]?
  private let baselines: [Baseline]?
  private let removed: [String]?
  private let bytes: Int?

  package init(
    command: String, approved: [Approved]? = nil, baselines: [Baseline]? = nil, removed: [String]? = nil,
    bytes: Int? = nil
  ) {
    (self.command, self.approved, self.baselines) = (command, approved, baselines)
    (self.removed, self.bytes) = (removed, bytes)
  }
}

/// HTML page on the results of a verification.
package struct BaselinePage {
  private let outcomes: [BaselineOutcome]
  private let gone: [MissingCreative]
  /// Folder of baselines as the caller wrote it.
  private let baselines: String
  private let out: String

  package init(outcomes: [BaselineOutcome], gone: [MissingCreative], baselines: String, out: String) {
    (self.outcomes, self.gone, self.baselines, self.out) = (outcomes, gone, baselines, out)
  }

  package var page: DiffPage {
    DiffPage(
      first: baselines, second: out,
      results: Self.urgency.flatMap { verdict in
        outcomes.filter { $0.verdict == verdict }.map { outcome -> ResultVerdict in
          var comparison = outcome.comparison
          comparison.name = outcome.title
          return comparison
        }
      },
      sides: PageSides(first: "baseline", second: "new"), lists: lists, commands: commands, summary: summary)
  }

  /// Order of verdicts on the page, from failures down to unchanged creatives.
  private static let urgency: [CreativeVerdict] = [.failed, .changed, .filesChanged, .refused, .new, .unchanged]

  /// Number of creatives by verdict: `1 failed, 3 changed, 8 new`.
  private var summary: String {
    Self.urgency.compactMap { verdict in
      let count = outcomes.count { $0.verdict == verdict }
      return count == 0 ? nil : "\(count) \(verdict.rawValue)"
    }.joined(separator: ", ")
  }

  /// Command that approves each creative that differs from its baseline, by the creative's title.
  private var commands: [String: String] {
    let pending = outcomes.filter { [.changed, .filesChanged, .new, .refused].contains($0.verdict) }
    return Dictionary(
      pending.compactMap { outcome in
        outcome.candidate.map { candidate in
          let words = [pattern(candidate.key), "--out", out].map(ShellWord.quoted).joined(separator: " ")
          return (outcome.title, "galley baseline approve \(words)")
        }
      }, uniquingKeysWith: { $1 })
  }

  /// Returns a pattern that matches only this key; a bracket is the only special character in names.
  private func pattern(_ key: BaselineKey) -> String { key.text.replacing("[", with: "\\[") }

  private var lists: [PageList] {
    [
      PageList(
        "Failed",
        outcomes.filter { $0.verdict == .failed }.map { outcome in
          "\(outcome.title): \(outcome.problem?.message ?? outcome.failure?.message ?? "it was not rendered")"
        }),
      PageList("Drawn in another environment, not compared", outcomes.filter { $0.verdict == .refused }.map(\.title)),
      PageList(
        "Screenshots unchanged, files changed",
        outcomes.filter { $0.verdict == .filesChanged }.map { outcome in
          "\(outcome.title): \(FileComparison.text(outcome.candidate?.fileChanges ?? []))"
        }),
      PageList("Files not compared", outcomes.filter { $0.candidate?.filesCompared == false }.map(\.title)),
      PageList("New creatives", outcomes.filter { $0.verdict == .new }.map(\.title)),
      PageList("New screenshots", parts { $0.verdict == .new }),
      PageList("Missing screenshots", parts { $0.verdict == .missing }),
      PageList("Flaky", parts { $0.verdict == .flaky }),
      PageList("Unchanged, but not in every render", parts { $0.verdict == .unchanged && !$0.steady }),
      PageList("Baselines without a creative", gone.map(\.line)),
    ]
  }

  private func parts(_ isMeant: (Candidate.Part) -> Bool) -> [String] {
    outcomes.filter { [.changed, .unchanged].contains($0.verdict) }.flatMap { outcome -> [String] in
      let pictures = (outcome.candidate?.parts ?? []).filter { PartName.isPicture($0.name) && isMeant($0) }
      return pictures.map { "\(outcome.title): \($0.name)" }
    }
  }
}
