import Core
import Foundation
import Logging
@testable import Service
import Testing

/// What becomes of renders whose outcome can't be written down.
@Suite struct OutcomeTests {
  private let scratch: Scratch
  private let data: DataFolder
  private let store: Store
  private let bulletin = Bulletin()
  private let gauges = ServiceGauges()
  private let desk: RenderDesk

  init() throws {
    scratch = try Scratch()
    let settings = ServiceSettings(
      host: "127.0.0.1", port: 0, data: scratch.path, jobs: 1, worker: "/worker", executable: "/galley")
    data = try DataFolder(scratch.path)
    store = try Store(folder: scratch.path)
    desk = RenderDesk(
      settings: settings, store: store, data: data, bulletin: bulletin, gauges: gauges,
      log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, hookIsDue: {})
  }

  private let submission = #"{"url": "https://a.example/"}"#

  private func accept(_ id: String) async throws {
    var new = NewRender.sample(id)
    new.request = try Submission(json: Array(submission.utf8), bounds: .init()).request.text
    _ = try await store.accept(new)
    await desk.line(up: try #require(try await store.render(id)))
  }

  @Test func isKeptUntilItCanBeWrittenAndNobodyIsToldBefore() async throws {
    try await accept("one")
    let notices = bulletin.follow("one")
    try await store.breakDown()
    await desk.release("one")
    await desk.outcomes.end("one", .failed, .engine("disk-full", "no room"))
    #expect(try await store.render("one")?.status == .queued)
    #expect(await desk.pressure().unwritten == 1)
    #expect(await !desk.pressure().isReady)
    #expect(gauges.text(await desk.pressure(), process: OwnProcess()).contains("\ngalley_outcomes_unwritten 1\n"))
    // Still no room; then there is.
    await desk.outcomes.writeKept(at: .now + .seconds(60))
    #expect(try await store.render("one")?.status == .queued)
    #expect(!gauges.registry.text.contains("galley_renders_total"))
    try await store.recover()
    await desk.outcomes.writeKept(at: .now + .seconds(120))
    #expect(try await store.render("one")?.status == .failed)
    #expect(await desk.pressure().isReady)
    #expect(gauges.registry.text.contains("galley_renders_total{code=\"disk-full\",status=\"failed\"} 1\n"))
    var heard: [Bulletin.Notice] = []
    for await notice in notices { heard.append(notice) }
    #expect(heard == [.ended(.failed)])
  }

  @Test func aRenderThatIsCancelledIsntCalledSoBeforeItIsWritten() async throws {
    try await accept("one")
    try await store.breakDown()
    await #expect(throws: Fault.self) { try await desk.cancel("one") }
    try await store.recover()
    await desk.outcomes.writeKept(at: .now + .seconds(60))
    #expect(try await store.render("one")?.status == .cancelled)
  }

  @Test func whatCantBeAcceptedLeavesNothingBehind() async throws {
    try await store.breakDown()
    let submission = try Submission(json: Array(submission.utf8), bounds: .init())
    await #expect(throws: Problem.self) { try await desk.accept(submission, owner: "a", key: nil) }
    #expect(data.found == [])
  }

  @Test func whoFollowsIsToldOfTheEndOnlyWhenThereIsOne() async throws {
    try await accept("one")
    let feed = EventFeed(id: "one", store: store, bulletin: bulletin, log: "/none", last: nil)
    bulletin.close()
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
    try await desk.resume()
    #expect(data.found == ["known"])
    #expect(scratch.read("unknown/strange/out/report.json") == "[]")
    #expect(scratch.read("tmp/half") == nil)
  }
}

@Suite struct OutcomeShelfTests {
  private let now = ContinuousClock.now
  private func outcome(_ id: String, _ status: RenderStatus = .failed) -> Outcome {
    Outcome(id: id, ending: Ending(status: status, finished: 5), callback: nil)
  }

  @Test func isTriedLessAndLessOften() {
    var shelf = OutcomeShelf()
    #expect(shelf.due(at: now).isEmpty)
    shelf.keep(outcome("a"), because: .engine("x", ""), at: now)
    var instant = now
    var pauses: [Int] = []
    for _ in 1...7 {
      var pause = 0
      while shelf.due(at: instant).isEmpty { (instant, pause) = (instant + .seconds(1), pause + 1) }
      pauses.append(pause)
      shelf.wait(because: .engine("x", ""), at: instant)
    }
    #expect(pauses == [1, 2, 4, 8, 16, 30, 30])
  }

  @Test func keepsWhatARenderEndedWithFirst() {
    var shelf = OutcomeShelf()
    shelf.keep(outcome("a", .completed), because: .engine("x", ""), at: now)
    shelf.keep(outcome("a", .cancelled), because: .engine("y", ""), at: now)
    shelf.keep(outcome("b"), because: .engine("y", ""), at: now)
    #expect(shelf.due(at: now + .seconds(1)).map(\.ending.status) == [.completed, .failed])
    #expect(shelf.fault(of: "a")?.code == "y")
    shelf.remove("a")
    #expect(shelf.fault(of: "a") == nil)
    #expect(shelf.count == 1)
  }
}
