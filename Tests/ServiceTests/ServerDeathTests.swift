import Logging
import RenderModel
import TestFolders
import Testing
import Workers

@testable import Scheduling
@testable import Service
@testable import Telemetry

@Suite struct ServerDeathTests {
  private let scratch: TestFolder
  private let store: Store
  private let scheduler: LocalScheduler

  init() throws {
    scratch = try TestFolder()
    var settings = ServiceSettings(
      host: "127.0.0.1", port: 0, data: scratch.path, jobs: 1, worker: "/worker", executable: "/galley")
    settings.bounds.drain = 0
    store = try Store(folder: scratch.path)
    let data = try DataFolder(scratch.path)
    scheduler = LocalScheduler(
      settings: settings, store: store, data: data, reviews: .sample(store, data), renderEvents: RenderEvents(),
      gauges: ServiceGauges(), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, webhookIsDue: {})
  }

  private func accept(_ id: String, content: String) async throws {
    var new = NewRender.sample(id)
    new.content = content
    new.request = try Submission(json: Array(#"{"url": "https://a.example/"}"#.utf8), bounds: .init()).request.text
    _ = try await store.accept(new)
  }

  /// Restores renders as a server does that continues after the end of another.
  private func restart() async throws {
    let rows = try await store.unfinished()
    try await scheduler.quarantine.takeOver(rows)
    for row in rows { await scheduler.line(up: row) }
  }

  @Test func whatRanAtThreeDeathsOfTheServerIsNotTriedAgain() async throws {
    try await accept("ran", content: "killer")
    try await accept("waited", content: "victim")
    for death in 1...3 {
      #expect(try await store.render("ran")?.status == .queued, "before death \(death)")
      try await store.start("ran", at: 1)
      try await restart()
    }
    #expect(try await store.render("ran")?.status == .quarantined)
    #expect(try await store.render("waited")?.status == .queued)
    #expect(try await store.losses.known(of: "victim") == nil)
  }

  @Test func aServerThatIsToldToStopCountsNothing() async throws {
    try await accept("ran", content: "creative")
    for _ in 1...4 {
      try await store.start("ran", at: 1)
      try await store.requeueRunning()
      try await restart()
    }
    #expect(try await store.losses.known(of: "creative") == nil)
  }

  @Test func theWorkersThatItEndsItselfAreNobodysLoss() async throws {
    try await accept("ran", content: "creative")
    try await restart()
    await scheduler.handlePoolEvent(.started(job: 1, attempt: 1))
    #expect(try await store.render("ran")?.status == .running)
    await scheduler.handlePoolEvent(.retrying(job: 1, lost: .worker, reason: "killed by somebody"))
    #expect(try await store.losses.known(of: "creative")?.count == 1)
    await scheduler.drain()
    await scheduler.handlePoolEvent(.retrying(job: 1, lost: .worker, reason: "killed by the server"))
    #expect(try await store.losses.known(of: "creative")?.count == 1)
    #expect(try await store.render("ran")?.status == .running)
  }

  @Test func endsWhatWaitsOfACreativeThatIsntTriedAnyMore() async throws {
    try await accept("first", content: "killer")
    try await accept("second", content: "killer")
    try await accept("other", content: "victim")
    try await restart()
    await scheduler.endWaiting(of: "killer", Quarantine.verdict(3, "killed"))
    #expect(try await store.render("second")?.status == .quarantined)
    #expect(try await store.render("other")?.status == .queued)
  }
}
