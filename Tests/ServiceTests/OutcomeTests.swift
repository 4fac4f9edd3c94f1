import Core
import Foundation
import Logging
import RenderModel
import TestFolders
import Testing

@testable import Scheduling
@testable import Service
@testable import Telemetry

/// Renders whose outcome can't be stored.
@Suite struct OutcomeTests {
  private let scratch: TestFolder
  private let data: DataFolder
  private let store: Store
  private let renderEvents = RenderEvents()
  private let gauges = ServiceGauges()
  private let scheduler: LocalScheduler

  init() throws {
    scratch = try TestFolder()
    let settings = ServiceSettings(
      host: "127.0.0.1", port: 0, data: scratch.path, jobs: 1, worker: "/worker", executable: "/galley")
    data = try DataFolder(scratch.path)
    store = try Store(folder: scratch.path)
    scheduler = LocalScheduler(
      settings: settings, store: store, data: data, reviews: .sample(store, data), renderEvents: renderEvents,
      gauges: gauges, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, webhookIsDue: {})
  }

  private let submission = #"{"url": "https://a.example/"}"#

  private func accept(_ id: String) async throws {
    var new = NewRender.sample(id)
    new.request = try Submission(json: Array(submission.utf8), bounds: .init()).request.text
    _ = try await store.accept(new)
    await scheduler.line(up: try #require(try await store.render(id)))
  }

  @Test func isKeptUntilItCanBeWrittenAndNobodyIsToldBefore() async throws {
    try await accept("one")
    let notices = renderEvents.follow("one")
    try await store.breakDown()
    await scheduler.release("one")
    await scheduler.outcomes.end("one", .failed, .engine("disk-full", "no room"))
    #expect(try await store.render("one")?.status == .queued)
    #expect(await scheduler.pressure().unwritten == 1)
    #expect(await !scheduler.pressure().isReady)
    #expect(gauges.text(await scheduler.pressure(), process: OwnProcess()).contains("\ngalley_outcomes_unwritten 1\n"))
    // Still no room; then there is.
    await scheduler.outcomes.writeKept(at: .now + .seconds(60))
    #expect(try await store.render("one")?.status == .queued)
    #expect(!gauges.registry.text.contains("status=\"failed\"} 1\n"))
    try await store.recover()
    await scheduler.outcomes.writeKept(at: .now + .seconds(120))
    #expect(try await store.render("one")?.status == .failed)
    #expect(await scheduler.pressure().isReady)
    #expect(gauges.registry.text.contains("galley_renders_total{code=\"disk-full\",status=\"failed\"} 1\n"))
    var heard: [RenderEvents.RenderUpdate] = []
    for await notice in notices { heard.append(notice) }
    #expect(heard == [.ended(.failed)])
  }

  @Test func aRenderThatIsCancelledIsntCalledSoBeforeItIsWritten() async throws {
    try await accept("one")
    try await store.breakDown()
    await #expect(throws: Fault.self) { try await scheduler.cancel("one") }
    try await store.recover()
    await scheduler.outcomes.writeKept(at: .now + .seconds(60))
    #expect(try await store.render("one")?.status == .cancelled)
  }

  @Test func whatCantBeAcceptedLeavesNothingBehind() async throws {
    try await store.breakDown()
    let submission = try Submission(json: Array(submission.utf8), bounds: .init())
    await #expect(throws: Problem.self) { try await scheduler.accept(submission, owner: "a", key: nil) }
    #expect(data.found == [])
  }

  @Test func whoFollowsIsToldOfTheEndOnlyWhenThereIsOne() async throws {
    try await accept("one")
    let feed = EventFeed(id: "one", store: store, renderEvents: renderEvents, data: data, last: nil)
    renderEvents.close()
    var told: [String] = []
    try await feed.send { told.append(String($0.prefix { $0 != "\n" })) }
    #expect(told == ["event: status"])
    _ = try await store.end("one", .completed(at: 5))
    told = []
    try await feed.send { told.append(String($0.prefix { $0 != "\n" })) }
    #expect(told == ["event: status", "event: end"])
  }

  @Test func setsAsideWhatTheDatabaseDoesntKnow() async throws {
    try await accept("known")
    _ = try scratch.write("renders/known/out/report.json", "{}")
    _ = try scratch.write("renders/strange/out/report.json", "[]")
    _ = try scratch.write("tmp/half", "x")
    try await scheduler.resume()
    #expect(data.found == ["known"])
    #expect(scratch.text("unknown/strange/out/report.json") == "[]")
    #expect(scratch.text("tmp/half") == nil)
  }
}

@Suite struct PendingOutcomesTests {
  private let now = ContinuousClock.now
  private func outcome(_ id: String, _ status: RenderStatus = .failed) -> EndRender {
    EndRender(id: id, ending: RenderCompletion(status: status, finished: 5))
  }

  @Test func isTriedLessAndLessOften() {
    var pendingOutcomes = PendingOutcomes()
    #expect(pendingOutcomes.due(at: now).isEmpty)
    pendingOutcomes.keep(outcome("a"), because: .engine("x", ""), at: now)
    var timestamp = now
    var pauses: [Int] = []
    for _ in 1...7 {
      var pause = 0
      while pendingOutcomes.due(at: timestamp).isEmpty { (timestamp, pause) = (timestamp + .seconds(1), pause + 1) }
      pauses.append(pause)
      pendingOutcomes.wait(because: .engine("x", ""), at: timestamp)
    }
    #expect(pauses == [1, 2, 4, 8, 16, 30, 30])
  }

  @Test func keepsWhatARenderEndedWithFirst() {
    var pendingOutcomes = PendingOutcomes()
    pendingOutcomes.keep(outcome("a", .completed), because: .engine("x", ""), at: now)
    pendingOutcomes.keep(outcome("a", .cancelled), because: .engine("y", ""), at: now)
    pendingOutcomes.keep(outcome("b"), because: .engine("y", ""), at: now)
    #expect(pendingOutcomes.due(at: now + .seconds(1)).map(\.ending.status) == [.completed, .failed])
    #expect(pendingOutcomes.fault(of: "a")?.code == "y")
    pendingOutcomes.remove("a")
    #expect(pendingOutcomes.fault(of: "a") == nil)
    #expect(pendingOutcomes.count == 1)
  }
}
