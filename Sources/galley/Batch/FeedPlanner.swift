internal import Bundles
internal import Feed
internal import FoundationEssentials
internal import Jobs
internal import MRAID
internal import Planning
internal import Stage
internal import Workers

/// Turns a feed and the creatives that are its ads into a plan of one job; here a bad argument costs the whole feed.
struct FeedPlanner {
  let out: String
  let device: Device
  let orientation: AppOrientation?
  /// The feed's file as the caller wrote it.
  let feed: String
  /// The scenario, nil to look for `NAME.scenario.yaml` beside the feed.
  let scenario: Scenario?
  let container: ContainerProfile?
  let limits: Limits
  let options: RenderOptions

  /// Reads the feed's rules, which are the caller's to mend, and readies the result folder.
  func plan(_ arguments: [String], recursive: Bool, spool: CreativeFinder.Spool) throws(Fault) -> BatchPlan {
    let creatives = try CreativeFinder.find(arguments, recursive: recursive, spool: spool).map { found throws(Fault) in
      try found.result.get()
    }
    guard let first = creatives.first else { throw .request("no-creatives", "a feed needs at least one creative") }
    let path = absolute(feed)
    _ = try FeedFile.read(path, called: feed)
    let described = FeedReference(argument: feed, path: path, creatives: creatives)
    let reference = described.asCreative
    let folder = ResultFolder(absolute(out) + "/" + reference.name)
    try CreativePlaces(creatives).check(folder.path)
    try ResultFolder(out).create()
    try folder.prepare()
    let own = scenario == nil ? try OwnScenario.of(reference) : nil
    var job = RenderJob(
      id: 0, creative: first, output: folder.path, device: device, orientation: orientation,
      placement: Placement(kind: .feed), scenario: scenario ?? own, container: container, limits: limits,
      options: options)
    job.show(in: container)
    job.feed = described
    var plan = BatchPlan(out: out, items: [BatchPlan.Item(name: reference.name, work: .render(job))], found: 1)
    if own != nil { plan.withOwnScenario.append(reference.name) }
    return plan
  }

  private func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}
