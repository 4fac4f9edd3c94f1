import Application
import Checks
import Core
import Foundation
import MRAID
import RenderModel
import TestFolders
import Testing

@testable import Scheduling

/// Renders on their way through a pool, as a server and a queue's worker have them.
@Suite struct WorkloadTests {
  private let scratch: TestFolder

  init() throws { scratch = try TestFolder() }

  /// A render whose creative is a zip with a scenario of its own.
  private func work(checks: Bool, scenario: String?) throws -> RenderWork {
    let folder = RenderFolder("\(scratch.path)/render")
    try FileManager.default.createDirectory(atPath: folder.creative, withIntermediateDirectories: true)
    try Data("<p>ad".utf8).write(to: URL(filePath: "\(folder.creative)/ad.html"))
    if let scenario { try Data(scenario.utf8).write(to: URL(filePath: "\(folder.creative)/ad.scenario.yaml")) }
    let request = try #require(
      RenderRequest.read(
        #"{"at":[],"checks":\#(checks),"memory":2048,"name":"ad","network":true,"patience":600,"profiles":[],"timeout":30}"#
      ))
    return try RenderWork(id: "a", content: "c", created: 0, request: request.text, folder: folder, reach: .none)
  }

  private func record(_ outcome: RenderRecord.Outcome = .completed) -> RenderRecord {
    RenderRecord(
      creative: .init(path: "ad"), device: .init(name: "custom", width: 9, height: 9, scale: 1, renderScale: 1),
      outcome: outcome)
  }

  @Test func aCreativesOwnScenarioIsFollowedByARenderWithoutIt() throws {
    var workload = ActiveRenders()
    workload.add(try work(checks: true, scenario: Self.wait))
    let first = try #require(workload.begin("a")?.first)
    #expect(first.scenario?.steps.count == 1)
    workload.noteStart(of: "a")
    guard case .further(let further)? = workload.finish(first.id, record()), let second = further.first else {
      Issue.record("nothing follows")
      return
    }
    #expect(further.count == 1 && second.scenario == nil && second.id != first.id && second.output != first.output)
    #expect(workload["a"]?.isUnderWay == true && workload.owner(of: second.id) == "a")
    guard case .done(let done)? = workload.finish(second.id, record(.crashed)) else {
      Issue.record("it doesn't end")
      return
    }
    #expect(done.record.outcome == .completed && done.work.unsteered?.record.outcome == .crashed)
    #expect(workload.isEmpty)
  }

  private static let wait = "- wait: {seconds: 0.01}\n"

  @Test(arguments: [(false, wait, true), (true, nil, true), (true, wait, false)])
  func nothingFollowsWhereNothingIsJudgedOrHidden(checks: Bool, scenario: String?, completes: Bool) throws {
    var workload = ActiveRenders()
    workload.add(try work(checks: checks, scenario: scenario))
    let first = try #require(workload.begin("a")?.first)
    guard case .done(let done)? = workload.finish(first.id, record(completes ? .completed : .failed)) else {
      Issue.record("something follows")
      return
    }
    #expect(done.work.unsteered == nil)
  }

  @Test func aPlayableIsExploredInOneHostAfterTheOther() throws {
    let folder = RenderFolder("\(scratch.path)/playable")
    try FileManager.default.createDirectory(atPath: folder.creative, withIntermediateDirectories: true)
    try Data("<p>ad".utf8).write(to: URL(filePath: "\(folder.creative)/ad.html"))
    var request = RenderRequest(name: "game-meta", url: nil, queueTimeout: 600)
    (request.checks, request.playables) = (true, true)
    (request.explore, request.profiles) = (.init(actions: 1, seconds: 9), ["meta", "unity", "mintegral"])
    let work = try RenderWork(
      id: "a", content: "c", created: 0, request: request.text, folder: folder, reach: .none)
    #expect(work.hosts.map(\.name) == ["game-meta/meta", "game-meta/unity", "game-meta/mintegral"])
    #expect(work.hosts.map(\.job.container?.name) == ["meta", "unity", "mintegral"])
    #expect(work.hosts.map(\.trial.asked) == [["meta": .name], [:], [:]])
    #expect(
      work.hosts.map(\.job.output)
        == ["", "/unity", "/mintegral"].map { folder.result("game-meta") + $0 })
    var workload = ActiveRenders()
    workload.add(work)
    var job = try #require(workload.begin("a")?.first)
    for host in ["unity", "mintegral"] {
      // A render that doesn't complete ends the exploration of its host, and only that.
      guard case .further(let further)? = workload.finish(job.id, record(.failed)) else {
        Issue.record("\(host) doesn't follow")
        return
      }
      job = try #require(further.first)
      #expect(further.count == 1 && job.container?.name == host && workload.owner(of: job.id) == "a")
    }
    guard case .done(let done)? = workload.finish(job.id, record(.failed)) else {
      Issue.record("it doesn't end")
      return
    }
    #expect(done.work.explorations.map(\.job.container?.name) == ["meta", "unity", "mintegral"])
    #expect(workload.isEmpty)
  }

  @Test func aBatchJobIsAllOfItsRender() throws {
    var workload = ActiveRenders()
    workload.add(try work(checks: false, scenario: nil))
    let served = try #require(workload.begin("a")?.first)
    let job = workload.begin(served, of: "b")
    #expect(job.id != served.id && workload.owner(of: job.id) == "b" && workload.owner(of: served.id) == "a")
    guard case .batchJobDone("b")? = workload.finish(job.id, record()) else {
      Issue.record("it doesn't end")
      return
    }
    let left = workload.take("b")
    #expect(workload.owner(of: job.id) == nil && left.jobs.isEmpty)
  }

  @Test func whatIsTakenIsHeardOfNoMore() throws {
    var workload = ActiveRenders()
    workload.add(try work(checks: false, scenario: nil))
    let served = try #require(workload.begin("a")?.first)
    let job = workload.begin(served, of: "b")
    let (taken, batched) = (workload.take("a"), workload.take("b"))
    #expect(taken.work?.id == "a" && taken.jobs == [served.id] && workload.isEmpty)
    #expect(batched.work?.id == nil && batched.jobs == [job.id])
    for number in [served.id, job.id] {
      #expect(workload.owner(of: number) == nil)
      if workload.finish(number, record()) != nil { Issue.record("it is still known") }
    }
  }
}
