internal import Comparison
internal import Core
internal import RenderModel

/// What `galley baseline record` and `verify` print with `--json`: Schemas/baselines.schema.json.
struct BaselineDocument: Encodable {
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

    init(_ outcome: BaselineOutcome) {
      (name, verdict, action) = (outcome.name, outcome.verdict, outcome.action)
      let candidate = outcome.candidate
      (key, store, renders) = (candidate?.key, candidate?.store, candidate?.renders)
      (differences, parts, findings) = (candidate?.differences, candidate?.parts, candidate?.findings)
      message = outcome.problem?.message ?? outcome.failure?.message
      code = outcome.problem?.code ?? outcome.failure?.code
    }
  }

  /// The version of this document's shape.
  private let schema = 1
  /// Galley's version.
  private let galley = Galley.version
  private let command: String
  private let exitCode: Int32
  private let creatives: [Creative]
  private let missingCreatives: [MissingCreative]?

  init(command: String, outcomes: [BaselineOutcome], gone: [MissingCreative], exitCode: Int32) {
    (self.command, self.exitCode) = (command, exitCode)
    creatives = outcomes.map(Creative.init)
    missingCreatives = gone.isEmpty ? nil : gone
  }
}

/// What the commands print with `--json` that render nothing: Schemas/baselines.schema.json.
struct BaselineStoreDocument: Encodable {
  struct Approved: Encodable {
    let key: BaselineKey
    let parts: [String]
  }

  struct Baseline: Encodable {
    let key: BaselineKey
    let store: String
    let source: String
    let pictures: [String]
    let flaky: [String]
    let events: Int
    let webkit: String
    let galley: String
    let device: String

    init(_ key: BaselineKey, _ manifest: BaselineManifest, in store: BaselineStore) throws(Fault) {
      (self.key, self.store, source) = (key, store.path, manifest.source)
      pictures = manifest.pictures.map(\.name)
      flaky =
        manifest.pictures.filter { $0.flaky == true }.map(\.name)
        + (manifest.events.flaky == true ? [PartName.events] : [])
      events = manifest.events.count
      let fingerprint = try store.fingerprint(of: manifest)
      (webkit, galley, device) = (fingerprint.webkit, fingerprint.galley, fingerprint.device.name)
    }

    var line: String {
      let marked = flaky.isEmpty ? "" : ", flaky: \(flaky.joined(separator: ", "))"
      return "\(key.text)  \(pictures.count) pictures, \(events) events, WebKit \(webkit), Galley \(galley)\(marked)"
    }
  }

  /// The version of this document's shape.
  private let schema = 1
  /// Galley's version.
  private let galley = Galley.version
  private let command: String
  private let exitCode: Int32 = 0
  private let approved: [Approved]?
  private let baselines: [Baseline]?
  private let removed: [String]?
  private let bytes: Int?

  init(
    command: String, approved: [Approved]? = nil, baselines: [Baseline]? = nil, removed: [String]? = nil,
    bytes: Int? = nil
  ) {
    (self.command, self.approved, self.baselines) = (command, approved, baselines)
    (self.removed, self.bytes) = (removed, bytes)
  }
}
