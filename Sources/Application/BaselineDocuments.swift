package import Comparison
package import Core
internal import RenderModel

/// What recording and verifying tell: Schemas/baselines.schema.json.
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
    let message: String?
    let code: String?

    init(_ outcome: BaselineOutcome, tellsStore: Bool) {
      (name, verdict, action) = (outcome.name, outcome.verdict, outcome.action)
      let candidate = outcome.candidate
      (key, store, renders) = (candidate?.key, tellsStore ? candidate?.store : nil, candidate?.renders)
      (differences, parts, findings) = (candidate?.differences, candidate?.parts, candidate?.findings)
      message = outcome.problem?.message ?? outcome.failure?.message
      code = outcome.problem?.code ?? outcome.failure?.code
    }
  }

  /// The version of this document's shape.
  private let schema = Galley.schema
  /// Galley's version.
  private let galley = Galley.version
  private let command: String
  private let exitCode: Int32
  private let creatives: [Creative]
  private let missingCreatives: [MissingCreative]?

  /// `tellsStore` is false for callers elsewhere, to whom paths of this machine say nothing.
  package init(
    command: String, outcomes: [BaselineOutcome], gone: [MissingCreative] = [], exitCode: Int32,
    tellsStore: Bool = true
  ) {
    (self.command, self.exitCode) = (command, exitCode)
    creatives = outcomes.map { Creative($0, tellsStore: tellsStore) }
    missingCreatives = gone.isEmpty ? nil : gone
  }
}

/// What the commands print with `--json` that render nothing: Schemas/baselines.schema.json.
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

  /// The version of this document's shape.
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

/// What a verification found, as a page to look at.
package struct BaselinePage {
  private let outcomes: [BaselineOutcome]
  private let gone: [MissingCreative]
  /// The folder of baselines as the caller wrote it.
  private let baselines: String
  private let out: String

  package init(outcomes: [BaselineOutcome], gone: [MissingCreative], baselines: String, out: String) {
    (self.outcomes, self.gone, self.baselines, self.out) = (outcomes, gone, baselines, out)
  }

  package var page: DiffPage {
    DiffPage(
      first: baselines, second: out, results: outcomes.map(\.comparison),
      sides: PageSides(first: "baseline", second: "new"), lists: lists, commands: commands)
  }

  /// What approves each creative that isn't as its baseline.
  private var commands: [String: String] {
    let pending = outcomes.filter { [.changed, .new, .refused].contains($0.verdict) }
    return Dictionary(
      pending.compactMap { outcome in
        outcome.candidate.map { candidate in
          let words = [pattern(candidate.key), "--out", out].map(ShellWord.quoted).joined(separator: " ")
          return (outcome.name, "galley baseline approve \(words)")
        }
      }, uniquingKeysWith: { $1 })
  }

  /// What fits a key and no other; names have no other characters that patterns know.
  private func pattern(_ key: BaselineKey) -> String { key.text.replacing("[", with: "\\[") }

  private var lists: [PageList] {
    [
      PageList("Failed", outcomes.filter { $0.verdict == .failed }.map(\.name)),
      PageList("Drawn by something else, not compared", outcomes.filter { $0.verdict == .refused }.map(\.name)),
      PageList("New creatives", outcomes.filter { $0.verdict == .new }.map(\.name)),
      PageList("New pictures", parts { $0.verdict == .new }),
      PageList("Missing pictures", parts { $0.verdict == .missing }),
      PageList("Flaky", parts { $0.verdict == .flaky }),
      PageList("Unchanged, but not in each render", parts { $0.verdict == .unchanged && !$0.steady }),
      PageList("Baselines whose creative is gone", gone.map(\.line)),
    ]
  }

  private func parts(_ isMeant: (Candidate.Part) -> Bool) -> [String] {
    outcomes.filter { [.changed, .unchanged].contains($0.verdict) }.flatMap { outcome in
      (outcome.candidate?.parts ?? []).filter(isMeant).map { "\(outcome.name): \($0.name)" }
    }
  }
}
