internal import Checks
package import Core
package import Parties
package import RenderModel
package import Workers

/// Renders every creative once for each possible answer on tracking, and finds the parties that it sends requests to.
package struct ConsentRun: Sendable {
  /// Consent states that ads receive, with the reference first: none at all.
  package static let told: [Consent?] = [nil, .granted, .refused, .undecided]

  private let jobs: JobVariants
  private let settings: PoolSettings

  package init(jobs: JobVariants, settings: PoolSettings) { (self.jobs, self.settings) = (jobs, settings) }

  /// Returns the jobs of a plan, once for each state.
  package static func jobs(of plan: BatchPlan) throws(Fault) -> JobVariants {
    var jobs = try JobVariants(plan: plan, variants: told.map(ConsentVerdict.name)) { job, number in
      job.options.consent = told[number]
      // What the scenario says would stand in the place of nothing.
      job.scenario?.consent = nil
    }
    jobs.joint = "with consent"
    return jobs
  }

  /// Renders all creatives; nil if a signal ended the run.
  package func run(onProgress: (PoolProgress) -> Void) async -> [ConsentVerdict]? {
    let (records, interrupted) = await PoolRun(settings: settings).render(jobs.jobs, progress: onProgress)
    guard !interrupted else { return nil }
    return jobs.plan.items.map { verdict($0, records) }
  }

  private func verdict(_ item: BatchPlan.Item, _ records: [Int: RenderRecord]) -> ConsentVerdict {
    guard case .render(let job) = item.work else {
      if case .refused(let record) = item.work { return ConsentVerdict(name: item.name, refusal: record) }
      return ConsentVerdict(name: item.name, runs: [])
    }
    let runs = Self.told.enumerated().compactMap { number, consent -> ConsentVerdict.Run? in
      guard let varied = jobs.job(job, number), let record = records[varied.id] else { return nil }
      let seen = CheckContextReader.read(varied, record: record, explored: nil)
      return ConsentVerdict.Run(
        consent: consent, record: record, folder: "\(item.name)/\(jobs.variants[number])", parties: seen.parties,
        asks: Set(seen.consentRequests).sorted(), stores: seen.stored)
    }
    return ConsentVerdict(name: item.name, runs: runs)
  }
}

/// Parties that one creative sent requests to, for each answer of the user.
package struct ConsentVerdict: Sendable {
  package struct Run: Sendable {
    /// Consent state that the ad received; nil for none.
    package let consent: Consent?
    package let record: RenderRecord
    /// Path of the result folder, relative to the output folder of the call.
    package let folder: String
    package let parties: [RequestParty]
    /// Interfaces by which the ad queried the consent: `gpp`, `tcf`, `usp`.
    package let asks: [String]
    /// Data that the ad stored on the device, such as `cookie id`.
    package let stores: [String]
  }

  /// Result folder of the creative, or its argument if it couldn't be opened.
  package let name: String
  package private(set) var runs: [Run] = []
  /// Record with the reason why the creative couldn't be opened; nil if there are renders.
  package private(set) var refusal: RenderRecord?

  init(name: String, runs: [Run]) { (self.name, self.runs) = (name, runs) }

  init(name: String, refusal: RenderRecord) { (self.name, self.refusal) = (name, refusal) }

  /// Returns the name of a consent state.
  package static func name(_ consent: Consent?) -> String { consent?.rawValue ?? "untold" }

  /// Domains of the parties in all states, the busiest first.
  package var domains: [String] {
    var counts: [String: Int] = [:]
    for party in runs.flatMap(\.parties) { counts[party.domain, default: 0] += party.requests }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }

  /// Data that was stored on the device though the user refused.
  package var keptAllTheSame: [String] { runs.first { $0.consent == .refused }?.stores ?? [] }

  /// Known trackers that received requests though the user refused.
  package var askedAllTheSame: [RequestParty] {
    runs.first { $0.consent == .refused }?.parties.filter(\.isTracker) ?? []
  }
}

/// Output of `galley compare-consent --json`: Schemas/consent.schema.json.
package struct ConsentDocument: Encodable {
  private struct Creative: Encodable {
    let name: String
    let runs: [Run]
    /// Domains of known trackers that received requests though the user refused.
    let askedAllTheSame: [String]
    let message: String?
    let code: String?
  }

  private struct Run: Encodable {
    let consent: String
    let folder: String
    let outcome: RenderRecord.Outcome
    let message: String?
    let code: String?
    let asks: [String]
    let stores: [String]
    let parties: [RequestParty]
  }

  private struct List: Encodable {
    let source = TrackerList.source
    let date = TrackerList.date
  }

  private let schema = Galley.schema
  private let galley = Galley.version
  private let exitCode: Int32
  private let trackers = List()
  private let creatives: [Creative]

  package init(_ verdicts: [ConsentVerdict], exitCode: Int32) {
    self.exitCode = exitCode
    creatives = verdicts.map { verdict in
      Creative(
        name: verdict.name,
        runs: verdict.runs.map { run in
          Run(
            consent: ConsentVerdict.name(run.consent), folder: run.folder, outcome: run.record.outcome,
            message: run.record.message, code: run.record.code, asks: run.asks, stores: run.stores,
            parties: run.parties)
        }, askedAllTheSame: verdict.askedAllTheSame.map(\.domain), message: verdict.refusal?.message,
        code: verdict.refusal?.code)
    }
  }
}
