package import Checks
package import Core
package import RenderModel
package import Workers

/// Renders every creative on several networks and without each of its hosts.
///
/// The runs show the load times, and if the creative works without a host.
package struct NetworkRun: Sendable {
  /// Name of the unchanged network.
  package static let asItIs = "as-it-is"

  private let jobs: JobVariants
  private let settings: PoolSettings
  /// Maximum number of a creative's hosts that are blocked one after the other; 0 for none.
  private let mostHosts: Int

  package init(jobs: JobVariants, settings: PoolSettings, mostHosts: Int) {
    (self.jobs, self.settings, self.mostHosts) = (jobs, settings, mostHosts)
  }

  /// Returns the jobs of a plan, once with the unchanged network and once with each profile.
  ///
  /// - Throws: `network-profile-invalid` for two profiles whose results would have one folder.
  package static func jobs(of plan: BatchPlan, profiles: [String]) throws(Fault) -> JobVariants {
    let names = [asItIs] + profiles.map(Self.folder)
    if let twice = names.indices.first(where: { names[..<$0].contains(names[$0]) }) {
      throw .request("network-profile-invalid", "the network '\(names[twice])' is named twice")
    }
    var jobs = try JobVariants(plan: plan, variants: names) { job, number in
      job.options.measures = true
      guard number > 0 else { return }
      var traffic = job.options.traffic ?? TrafficOptions()
      traffic.profile = profiles[number - 1]
      job.options.traffic = traffic
    }
    jobs.joint = "by"
    return jobs
  }

  /// Returns a profile as the name of a folder.
  private static func folder(_ profile: String) -> String {
    String(profile.map { $0.isLetter || $0.isNumber || "-.".contains($0) ? $0 : "-" })
  }

  /// Renders all creatives; nil if a signal ended the run.
  package func run(onProgress: (PoolProgress) -> Void) async throws(Fault) -> [NetworkVerdict]? {
    let (records, interrupted) = await PoolRun(settings: settings).render(jobs.jobs, progress: onProgress)
    guard !interrupted else { return nil }
    let usual = jobs.plan.jobs.compactMap { jobs.job($0, 0) }
    guard let outages = try await OutageRun(settings: settings, most: mostHosts).run(usual, records)
    else { return nil }
    return jobs.plan.items.map { item in
      guard case .render(let job) = item.work else {
        if case .refused(let record) = item.work { return NetworkVerdict(name: item.name, refusal: record) }
        return NetworkVerdict(name: item.name)
      }
      let runs = jobs.variants.indices.compactMap { number -> NetworkVerdict.Run? in
        guard let varied = jobs.job(job, number), let record = records[varied.id] else { return nil }
        return NetworkVerdict.Run(
          network: varied.options.traffic?.profile ?? Self.asItIs, record: record,
          folder: "\(item.name)/\(jobs.variants[number])",
          seen: CheckContextReader.read(varied, record: record, explored: nil))
      }
      return NetworkVerdict(name: item.name, runs: runs, outages: jobs.job(job, 0).flatMap { outages[$0.id] } ?? [])
    }
  }
}

/// Results of one creative on several networks, and without each of its hosts.
package struct NetworkVerdict: Sendable {
  package struct Run: Sendable {
    package let network: String
    package let record: RenderRecord
    /// Path of the result folder, relative to the output folder of the call.
    package let folder: String
    /// Ends of the initial load by the four rules.
    package let load: [LoadBoundary]
    package let requests: Int
    package let failed: Int
    package let bytes: Int

    init(network: String, record: RenderRecord, folder: String, seen: CheckContext) {
      (self.network, self.record, self.folder, load) = (network, record, folder, seen.load)
      let asked = seen.resources.filter { $0.origin == .network }
      requests = asked.count
      failed = asked.count { $0.failure != nil || $0.status >= 400 }
      bytes = asked.reduce(0) { $0 &+ $1.bytes }
    }
  }

  /// Result folder of the creative, or its argument if it couldn't be opened.
  package let name: String
  package private(set) var runs: [Run] = []
  package private(set) var outages: [Outage] = []
  /// Record with the reason why the creative couldn't be opened; nil if there are renders.
  package private(set) var refusal: RenderRecord?

  init(name: String, runs: [Run] = [], outages: [Outage] = []) {
    (self.name, self.runs, self.outages) = (name, runs, outages)
  }

  init(name: String, refusal: RenderRecord) { (self.name, self.refusal) = (name, refusal) }
}

/// Output of `galley compare-networks --json`: Schemas/networks.schema.json.
package struct NetworksDocument: Encodable {
  private struct Creative: Encodable {
    let name: String
    let runs: [Run]
    let outages: [Outage]
    let message: String?
    let code: String?
  }

  private struct Run: Encodable {
    let network: String
    let folder: String
    let outcome: RenderRecord.Outcome
    let message: String?
    let code: String?
    /// Milliseconds by boundary; one that was never reached is left out.
    let load: [String: Double]
    let requests: Int
    let failed: Int
    let bytes: Int
  }

  private let schema = Galley.schema
  private let galley = Galley.version
  private let exitCode: Int32
  private let creatives: [Creative]

  package init(_ verdicts: [NetworkVerdict], exitCode: Int32) {
    self.exitCode = exitCode
    creatives = verdicts.map { verdict in
      Creative(
        name: verdict.name,
        runs: verdict.runs.map { run in
          let known = run.load.compactMap { boundary in boundary.t.map { (boundary.kind.rawValue, $0) } }
          return Run(
            network: run.network, folder: run.folder, outcome: run.record.outcome, message: run.record.message,
            code: run.record.code, load: Dictionary(known) { first, _ in first }, requests: run.requests,
            failed: run.failed, bytes: run.bytes)
        }, outages: verdict.outages, message: verdict.refusal?.message, code: verdict.refusal?.code)
    }
  }
}
