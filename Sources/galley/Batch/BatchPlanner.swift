internal import Bundles
internal import Checks
internal import FoundationEssentials
internal import Jobs
internal import MRAID
internal import Planning
internal import Stage
internal import Workers

/// Turns arguments into a plan; what is wrong with one never costs the others.
struct BatchPlanner {
  let out: String
  let device: Device
  let orientation: AppOrientation?
  let placement: PlacementOptions
  /// The scenario for all, nil to look for each creative's own.
  let scenario: Scenario?
  /// The container they meet, nil for the standard's.
  var container: ContainerProfile?
  let limits: Limits
  let options: RenderOptions
  /// Whether a creative's own scenario only says where it is shown.
  var explores = false
  /// The share of the creatives to plan for, nil for all.
  var shard: Shard?

  /// Finds the creatives and readies their result folders; a feed of them is one thing to render.
  func plan(_ arguments: [String], recursive: Bool, spool: CreativeFinder.Spool) throws(Fault) -> BatchPlan {
    guard let feed = placement.feed else { return try planEach(arguments, recursive: recursive, spool: spool) }
    let planner = FeedPlanner(
      out: out, device: device, orientation: orientation, feed: feed, scenario: scenario, container: container,
      limits: limits, options: options)
    return try planner.plan(arguments, recursive: recursive, spool: spool)
  }

  private func planEach(
    _ arguments: [String], recursive: Bool, spool: CreativeFinder.Spool
  ) throws(Fault) -> BatchPlan {
    let found = CreativeFinder.find(arguments, recursive: recursive, spool: spool)
    let creatives = found.compactMap { try? $0.result.get() }
    let places = CreativePlaces(creatives)
    for creative in creatives where isMine(creative.name) { try places.check(absolute(out) + "/" + creative.name) }
    try ResultFolder(out).create()
    var plan = BatchPlan(out: out, items: [], shard: shard, found: found.count)
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

  private func isMine(_ name: String) -> Bool { shard?.contains(name) ?? true }

  private func add(_ creative: CreativeReference, at position: Int, to plan: inout BatchPlan) {
    let folder = ResultFolder(absolute(out) + "/" + creative.name)
    var work: BatchPlan.Work
    do throws(Fault) {
      try folder.prepare()
      let own = scenario == nil ? try OwnScenario.of(creative) : nil
      if own != nil, !explores { plan.withOwnScenario.append(creative.name) }
      work = .render(try job(plan.items.count, creative, folder, scenario ?? own))
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
    let placement = placement.placement(scenario: scenario?.placement)
    guard placement.kind != .feed else {
      throw .request("no-feed", "a scenario for a feed needs --feed with the feed's file")
    }
    var job = RenderJob(
      id: id, creative: creative, output: folder.path, device: device, orientation: orientation,
      placement: placement, scenario: scenario, container: container,
      limits: limits, options: options)
    job.show(in: container)
    return job
  }

  private func refusal(_ argument: String, _ fault: Fault) -> RenderRecord {
    RenderRecord(
      creative: RenderRecord.Creative(path: argument), device: RenderRecord.DeviceSummary(device), outcome: .failed,
      failure: fault)
  }

  private func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}
