internal import Comparison
package import Core
internal import FoundationEssentials
internal import RenderModel

/// Conditions that differ from run to run unless they are fixed: the seed of random numbers, and the date.
///
/// Most ads put one of the two into a URL to prevent answers from a cache, so their logs would never be the same.
package enum BaselineConditions {
  /// Returns the plan with each job under the conditions of its baseline, or under those of a new one.
  ///
  /// Requested conditions take precedence. `now` is in seconds since 1970. A baseline of an older version has no
  /// conditions unless it is recorded anew. A recording of the network that stays has its own.
  package static func applied(
    to plan: BatchPlan, _ places: [Int: BaselineLocation], isAnew: Bool, recordsNetwork: Bool, now: Double
  ) throws(Fault) -> BatchPlan {
    var plan = plan
    for (index, item) in plan.items.enumerated() {
      guard case .render(var job) = item.work, let place = places[job.id] else { continue }
      // What answers a job has been recorded under conditions of its own.
      guard job.options.traffic?.mode != .replay else { continue }
      // One that can't be read is told where it is compared.
      let recorded = try? place.store.manifest(place.key)
      let isAnswered = !recordsNetwork && FileManager.default.fileExists(atPath: place.recording)
      job.options.assume(seed: recorded?.seed, date: recorded?.date)
      if !isAnswered, recorded == nil || isAnew { job.options.assume(seed: 1, date: now.rounded()) }
      plan.items[index] = BatchPlan.Item(
        name: item.name, work: .render(job), position: item.position, hasFolder: item.hasFolder)
    }
    return plan
  }
}
