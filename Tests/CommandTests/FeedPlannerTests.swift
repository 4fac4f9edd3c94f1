import Foundation
import Jobs
import MRAID
import Stage
import Testing

@testable import galley

@Suite struct FeedPlannerTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("feed-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write("one.html", "<p>one</p>")
    try write("two.html", "<p>two</p>")
  }

  private func write(_ name: String, _ text: String) throws {
    try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
  }

  private func plan(_ creatives: [String], feed: String = "stream.yaml") throws(Fault) -> BatchPlan {
    try FeedPlanner(
      out: folder.path + "/out", device: DeviceCatalogue.standard.device(named: DeviceCatalogue.defaultName)!,
      orientation: nil, feed: folder.path + "/" + feed, scenario: nil, container: nil, limits: Limits(),
      options: RenderOptions()
    ).plan(creatives.map { folder.path + "/" + $0 }, recursive: false, spool: StandardInputSpool.fill)
  }

  @Test func `all creatives are the ads of one render, in the order given`() throws {
    try write("stream.yaml", "sources: {users: u, albums: a, pictures: p}")
    try write("stream.scenario.yaml", "- scroll: 100")
    let plan = try plan(["two.html", "one.html"])
    let job = try #require(plan.jobs.first)
    #expect(plan.jobs.count == 1)
    #expect(job.placement == Placement(kind: .feed))
    #expect(job.output.hasSuffix("/out/stream"))
    #expect(job.feed?.creatives.map(\.name) == ["two", "one"])
    #expect(job.scenario?.steps.map(\.action) == [.scroll(to: 100)])
    #expect(plan.withOwnScenario == ["stream"])
  }

  @Test func `what is wrong with the feed or a creative is refused before anything renders`() throws {
    try write("stream.yaml", "sources: {users: u, albums: a, pictures: p}\nads: {siz: 1x1}\n")
    let broken = #expect(throws: Fault.self) { try plan(["one.html"]) }
    #expect(broken?.code == "feed-invalid")
    #expect(broken?.message.contains("stream.yaml:2: unknown key \"siz\" in ads; did you mean size?") == true)
    #expect(#expect(throws: Fault.self) { try plan(["one.html"], feed: "none.yaml") }?.code == "feed-missing")
    #expect(#expect(throws: Fault.self) { try plan(["three.html"]) }?.blame == .request)
    #expect(#expect(throws: Fault.self) { try plan([]) }?.code == "no-creatives")
  }
}
