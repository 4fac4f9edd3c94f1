internal import Checks
internal import Core
internal import Foundation
internal import RenderModel
internal import Workers

/// Renders creatives again without each host that they send requests to, and compares the results.
struct OutageRun: Sendable {
  let settings: PoolSettings
  /// Maximum number of a creative's hosts that are blocked one after the other, by most requests; 0 for none.
  let most: Int

  /// Returns the outages by the ids of `jobs`, whose renders are finished; nil if a signal ended the run.
  ///
  /// A host is blocked by resetting its connections, like one that is down or blocked by the network.
  func run(
    _ jobs: [RenderJob], _ records: [Int: RenderRecord]
  ) async throws(Fault) -> [Int: [Outage]]? {
    var trials: [(usual: RenderJob, host: String, job: RenderJob)] = []
    for job in jobs {
      guard most > 0, let record = records[job.id], record.outcome == .completed else { continue }
      let seen = CheckContextReader.read(job, record: record, explored: nil)
      for host in hosts(of: seen, except: job.creative.argument.hostOfAddress) {
        var trial = job
        trial.id = (jobs.map(\.id).max() ?? 0) + 1 + trials.count
        trial.output = "\(job.output)/without-\(host.replacing(":", with: "-"))"
        var traffic = job.options.traffic ?? TrafficOptions()
        if traffic.mode == .record { traffic.mode = .live }
        traffic.faults = ["host=\(host) reset"]
        trial.options.traffic = traffic
        try ResultFolder(trial.output).prepare()
        trials.append((job, host, trial))
      }
    }
    guard !trials.isEmpty else { return [:] }
    var settings = settings
    if settings.recordings?.record != nil { settings.recordings = nil }
    let (outcomes, interrupted) = await PoolRun(settings: settings).render(trials.map(\.job))
    guard !interrupted else { return nil }
    var outages: [Int: [Outage]] = [:]
    for (usual, host, job) in trials {
      guard let record = outcomes[job.id], let before = records[usual.id] else { continue }
      outages[usual.id, default: []].append(outage(host, record, job, before: before, usual))
      // Pictures that look like a failure of the ad's would be in the way of those that were asked for.
      try? FileManager.default.removeItem(atPath: job.output)
    }
    return outages
  }

  /// Returns the network hosts with most requests first, without the host of the ad's own document.
  private func hosts(of seen: CheckContext, except own: String?) -> [String] {
    var counts: [String: Int] = [:]
    for host in seen.networkHosts where host != own { counts[host, default: 0] += 1 }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(most).map(\.key)
  }

  private func outage(
    _ host: String, _ record: RenderRecord, _ job: RenderJob, before: RenderRecord, _ usual: RenderJob
  ) -> Outage {
    let known = Set(faults(usual))
    return Outage(
      host: host, outcome: record.outcome, content: record.screenshots.fullest?.contentShare,
      usualContent: before.screenshots.fullest?.contentShare, faults: faults(job).filter { !known.contains($0) })
  }

  private func faults(_ job: RenderJob) -> [String] {
    let events = ResultFolder(job.output).log.events()
    return events.filter { $0.source == .page && $0.isOne(of: [.exception, .rejection]) }
      .compactMap { $0.detail["message"]?.string }
  }
}

extension String {
  /// Host of a URL; nil for a path.
  fileprivate var hostOfAddress: String? {
    guard hasPrefix("http://") || hasPrefix("https://") else { return nil }
    return URLComponents(string: self)?.host?.lowercased()
  }
}
