internal import Baselines
internal import Jobs

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
