package import Checks
package import Core
package import Creatives
package import Device
internal import Feed
internal import FoundationEssentials
package import MRAID
package import RenderModel
internal import Workers

/// How every creative of a call is rendered.
package struct JobTemplate: Sendable {
  package let device: Device
  package let orientation: AppOrientation?
  package let wish: PlacementRequest
  /// The container they meet, nil for the standard's.
  package let container: ContainerProfile?
  package var limits: Limits
  package let options: RenderOptions

  package init(
    device: Device, orientation: AppOrientation? = nil, wish: PlacementRequest = PlacementRequest(),
    container: ContainerProfile? = nil, limits: Limits, options: RenderOptions
  ) {
    (self.device, self.orientation, self.wish, self.container) = (device, orientation, wish, container)
    (self.limits, self.options) = (limits, options)
  }

  /// The job of a creative and the scenario it is put through.
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
    return job
  }
}

/// Turns arguments into a plan; what is wrong with one never costs the others.
package struct BatchPlanner {
  private let out: String
  let template: JobTemplate
  /// The feed's file as the caller wrote it, when the creatives are its ads.
  private let feed: String?
  /// The scenario for all, nil to look for each creative's own.
  let scenario: Scenario?
  /// Whether a creative's own scenario only says where it is shown.
  private let explores: Bool
  /// The share of the creatives to plan for, nil for all.
  private let shard: Shard?

  package init(
    out: String, template: JobTemplate, feed: String? = nil, scenario: Scenario? = nil, explores: Bool = false,
    shard: Shard? = nil
  ) {
    (self.out, self.template, self.feed) = (out, template, feed)
    (self.scenario, self.explores, self.shard) = (scenario, explores, shard)
  }

  /// Finds the creatives and readies their result folders; a feed of them is one thing to render.
  package func plan(
    _ arguments: [String], recursive: Bool, spool: CreativeFinder.Spool
  ) throws(Fault) -> BatchPlan {
    guard let feed else { return try planEach(arguments, recursive: recursive, spool: spool) }
    return try planFeed(feed, arguments, recursive: recursive, spool: spool)
  }

  private func planEach(
    _ arguments: [String], recursive: Bool, spool: CreativeFinder.Spool
  ) throws(Fault) -> BatchPlan {
    let found = CreativeFinder.find(arguments, recursive: recursive, spool: spool)
    let creatives = found.compactMap { try? $0.result.get() }
    let (places, root) = (CreativePlaces(creatives), AbsolutePath.written(out))
    for creative in creatives where isMine(creative.name) { try places.check("\(root)/\(creative.name)") }
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

  func isMine(_ name: String) -> Bool { shard?.contains(name) ?? true }

  private func add(_ creative: CreativeReference, at position: Int, to plan: inout BatchPlan) {
    let folder = ResultFolder(AbsolutePath.written(out) + "/" + creative.name)
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
    let job = template.job(id, creative, output: folder.path, scenario: scenario)
    guard job.placement.kind != .feed else {
      throw .request("feed-required", "a scenario for a feed needs --feed with the feed's file")
    }
    return job
  }

  private func refusal(_ argument: String, _ fault: Fault) -> RenderRecord {
    RenderRecord(
      creative: RenderRecord.Creative(path: argument), device: RenderRecord.DeviceSummary(template.device),
      outcome: .failed, failure: fault)
  }

  /// A plan of one job for a feed and the creatives that are its ads; here a bad argument costs the whole feed.
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
    try CreativePlaces(creatives).check(folder.path)
    try ResultFolder(out).create()
    try folder.prepare()
    let own = scenario == nil ? try OwnScenario.of(reference) : nil
    var job = template.job(
      0, first, output: folder.path, placement: Placement(kind: .feed), scenario: scenario ?? own)
    job.feed = described
    var plan = BatchPlan(out: out, items: [BatchPlan.Item(name: reference.name, work: .render(job))], found: 1)
    if own != nil { plan.withOwnScenario.append(reference.name) }
    return plan
  }
}

/// Where the creatives of a call lie, so that no result is put among their own files.
private struct CreativePlaces {
  /// Folders that are creatives, and for each folder that is or holds one, how the caller wrote that.
  private var folders: [String: String] = [:]
  private var holders: [String: String] = [:]

  init(_ creatives: some Sequence<CreativeReference>) {
    for creative in creatives where creative.argument != "-" {
      guard let path = creative.path.map(AbsolutePath.resolved) else { continue }
      let isFolder = AbsolutePath.isFolder(path)
      if isFolder { folders[path] = creative.argument }
      for holder in Self.ways(up: path).dropFirst(isFolder ? 0 : 1) where holders[holder] == nil {
        holders[holder] = creative.argument
      }
    }
  }

  /// - Throws: a request's fault when a folder of results is, holds or lies in a creative.
  func check(_ folder: String) throws(Fault) {
    let ways = Self.ways(up: AbsolutePath.resolved(folder))
    if let own = ways.first.flatMap({ holders[$0] }) { throw Self.fault(folder, own) }
    if let own = ways.lazy.compactMap({ folders[$0] }).first { throw Self.fault(folder, own) }
  }

  private static func fault(_ folder: String, _ creative: String) -> Fault {
    .request(
      "output-in-creative", "results in \(folder) would be mixed with the creative \(creative): choose another --out")
  }

  /// The path and all folders above it.
  private static func ways(up path: String) -> [String] {
    var ways = [path]
    while let slash = ways[ways.count - 1].utf8.lastIndex(of: UInt8(ascii: "/")) {
      let parent = String(Substring(ways[ways.count - 1].utf8[..<slash]))
      guard !parent.isEmpty else { break }
      ways.append(parent)
    }
    return ways
  }
}
