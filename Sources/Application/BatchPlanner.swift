package import Checks
package import Core
package import Creatives
package import Device
internal import Feed
internal import FoundationEssentials
package import MRAID
package import RenderModel
internal import Workers

/// Settings for the render of every creative of a call.
package struct JobTemplate: Sendable {
  package let device: Device
  package let orientation: AppOrientation?
  package let wish: PlacementRequest
  /// Container of the ads; nil for the standard's.
  package let container: ContainerProfile?
  package var limits: Limits
  package let options: RenderOptions
  /// Indicates if no device was named, so that each creative gets one with room for it.
  private let infersDevice: Bool

  /// - Parameter infersDevice: true if no device was named.
  package init(
    device: Device, orientation: AppOrientation? = nil, wish: PlacementRequest = PlacementRequest(),
    container: ContainerProfile? = nil, limits: Limits, options: RenderOptions, infersDevice: Bool = false
  ) {
    (self.device, self.orientation, self.wish, self.container) = (device, orientation, wish, container)
    (self.limits, self.options, self.infersDevice) = (limits, options, infersDevice)
  }

  /// Returns the job of a creative with its scenario.
  ///
  /// Device and placement come from the creative if the call leaves them open.
  package func job(
    _ id: Int, _ creative: CreativeReference, output: String, scenario: Scenario?
  ) -> RenderJob {
    job(id, creative, output: output, placement: wish.placement(scenario: scenario?.placement), scenario: scenario)
  }

  func job(
    _ id: Int, _ creative: CreativeReference, output: String, placement: Placement, scenario: Scenario?
  ) -> RenderJob {
    var job = RenderJob(
      id: id, creative: creative, output: output, device: device, orientation: orientation, placement: placement,
      scenario: scenario, container: container, limits: limits, options: options)
    job.show(in: container)
    let isOpen = wish.isOpen && scenario?.placement == nil && container?.behaviour.placement == nil
    return JobInference(choosesDevice: infersDevice, choosesPlacement: isOpen).fitted(job)
  }
}

/// Turns arguments into a plan; an error in one argument doesn't affect the others.
package struct BatchPlanner {
  private let out: String
  let template: JobTemplate
  /// Path of the feed's file as the caller wrote it; nil unless the creatives are its ads.
  private let feed: String?
  /// Scenario for all creatives; nil to look for each creative's own.
  let scenario: Scenario?
  /// Indicates if a creative's own scenario only determines its placement.
  private let explores: Bool
  /// Share of the creatives to plan for; nil for all.
  private let shard: Shard?

  package init(
    out: String, template: JobTemplate, feed: String? = nil, scenario: Scenario? = nil, explores: Bool = false,
    shard: Shard? = nil
  ) {
    (self.out, self.template, self.feed) = (out, template, feed)
    (self.scenario, self.explores, self.shard) = (scenario, explores, shard)
  }

  /// Finds the creatives and prepares their result folders; a feed counts as a single item.
  package func plan(
    _ arguments: [String], recursive: Bool, spool: CreativeFinder.Spool
  ) throws(Fault) -> BatchPlan {
    guard let feed else { return try planEach(arguments, recursive: recursive, spool: spool) }
    return try planFeed(feed, arguments, recursive: recursive, spool: spool)
  }

  private func planEach(
    _ arguments: [String], recursive: Bool, spool: CreativeFinder.Spool
  ) throws(Fault) -> BatchPlan {
    let search = CreativeFinder.search(arguments, recursive: recursive, spool: spool)
    let found = search.found
    let creatives = found.compactMap { try? $0.result.get() }
    let (inputs, root) = (CallInputs(creatives), AbsolutePath.written(out))
    for creative in creatives where isMine(creative.name) { try inputs.check(results: "\(root)/\(creative.name)") }
    try ResultFolder(out).create()
    var plan = BatchPlan(out: out, items: [], shard: shard, found: found.count, leftOut: search.leftOut)
    for (position, found) in found.enumerated() {
      switch found.result {
      case .success(let creative) where isMine(creative.name): add(creative, at: position, to: &plan)
      case .failure(let fault) where isMine(found.argument):
        let work = BatchPlan.Work.refused(refusal(found.argument, fault))
        plan.items.append(BatchPlan.Item(name: found.argument, work: work, position: position, hasFolder: false))
      case .success, .failure: break
      }
    }
    return plan
  }

  /// Returns the scenario to play with a creative that may have its own; nil for none, also if the call wants none.
  func played(_ own: Scenario?) -> Scenario? {
    guard let scenario else { return own }
    return scenario.source == ScenarioFile.none && scenario.steps.isEmpty ? nil : scenario
  }

  func isMine(_ name: String) -> Bool { shard?.contains(name) ?? true }

  private func add(_ creative: CreativeReference, at position: Int, to plan: inout BatchPlan) {
    let folder = ResultFolder(AbsolutePath.written(out) + "/" + creative.name)
    var work: BatchPlan.Work
    do throws(Fault) {
      try folder.prepare()
      let own = scenario == nil ? try OwnScenario.of(creative) : nil
      if own != nil, !explores { plan.withOwnScenario.append(creative.name) }
      work = .render(try job(plan.items.count, creative, folder, played(own)))
    } catch {
      let record = refusal(creative.argument, error)
      // Best effort: the folder itself may be what is wrong, and the record is told anyway.
      try? folder.write(record)
      work = .refused(record)
    }
    plan.items.append(BatchPlan.Item(name: creative.name, work: work, position: position))
  }

  private func job(
    _ id: Int, _ creative: CreativeReference, _ folder: ResultFolder, _ scenario: Scenario?
  ) throws(Fault) -> RenderJob {
    let job = template.job(id, creative, output: folder.path, scenario: scenario)
    guard job.placement.kind != .feed else {
      throw .request("feed-required", "a scenario for a feed requires --feed with the feed file")
    }
    return job
  }

  private func refusal(_ argument: String, _ fault: Fault) -> RenderRecord {
    RenderRecord(
      creative: RenderRecord.Creative(path: argument), device: RenderRecord.DeviceSummary(template.device),
      outcome: .failed, failure: fault)
  }

  /// Returns a plan of one job for a feed with its creatives; an error in one argument fails the whole feed.
  private func planFeed(
    _ feed: String, _ arguments: [String], recursive: Bool, spool: CreativeFinder.Spool
  ) throws(Fault) -> BatchPlan {
    let creatives = try CreativeFinder.find(arguments, recursive: recursive, spool: spool).map { found throws(Fault) in
      try found.result.get()
    }
    guard let first = creatives.first else { throw .request("creatives-missing", "a feed needs at least one creative") }
    let path = AbsolutePath.written(feed)
    // The feed's rules are the caller's to mend.
    _ = try FeedFile.read(path, called: feed)
    let described = FeedReference(argument: feed, path: path, creatives: creatives)
    let reference = described.asCreative
    let folder = ResultFolder(AbsolutePath.written(out) + "/" + reference.name)
    try CallInputs(creatives).check(results: folder.path)
    try ResultFolder(out).create()
    try folder.prepare()
    let own = scenario == nil ? try OwnScenario.of(reference) : nil
    var job = template.job(
      0, first, output: folder.path, placement: Placement(kind: .feed), scenario: played(own))
    job.feed = described
    var plan = BatchPlan(out: out, items: [BatchPlan.Item(name: reference.name, work: .render(job))], found: 1)
    if own != nil { plan.withOwnScenario.append(reference.name) }
    return plan
  }
}
