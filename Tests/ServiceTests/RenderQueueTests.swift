import Core
import Logging
import TestFolders
import Testing

@testable import Service
@testable import Telemetry

@Suite struct RenderQueueTests {
  private func queue(_ tickets: [(String, String)], capacity: Int = 10, width: Int = 2) -> RenderQueue {
    var queue = RenderQueue(capacity: capacity, width: width)
    for (id, owner) in tickets { queue.add(Ticket(id: id, owner: owner, deadline: 0)) }
    return queue
  }

  @Test func letsThroughAsManyAsMayBeUnderWay() {
    var queue = queue([("1", "a"), ("2", "a"), ("3", "a")])
    #expect(queue.admit().map(\.id) == ["1", "2"])
    #expect(queue.admit() == [])
    queue.remove("1")
    #expect(queue.admit().map(\.id) == ["3"])
  }

  @Test func givesOwnersTurns() {
    var queue = queue([("1", "a"), ("2", "a"), ("3", "a"), ("4", "b")])
    #expect(queue.admit().map(\.id) == ["1", "4"])
    queue.remove("4")
    #expect(queue.admit().map(\.id) == ["2"])
  }

  @Test func isFullAtItsCapacityOfWhoWaits() {
    var queue = queue([("1", "a"), ("2", "a"), ("3", "a")], capacity: 2, width: 1)
    #expect(queue.isFull)
    _ = queue.admit()
    #expect(queue.isFull)
    queue.remove("3")
    #expect(!queue.isFull)
  }

  @Test func countsAnOwnersWhereverTheyAre() {
    var queue = queue([("1", "a"), ("2", "b"), ("3", "a")], width: 1)
    _ = queue.admit()
    #expect(queue.count(of: "a") == 2)
    #expect(queue.remove("9") == false)
  }

  @Test func letsNobodyThroughOnceClosed() {
    var queue = queue([("1", "a")])
    queue.close()
    #expect(queue.admit() == [])
    #expect(queue.waiting.map(\.id) == ["1"])
  }

  @Test(arguments: [(0, 2, nil, 1), (5, 2, nil, 1), (5, 2, 3.0, 2), (5, 1, 300.0, 60), (5, 4, 0.1, 1)])
  func advisesToComeBackWhenARenderWillHaveEnded(waiting: Int, width: Int, pace: Double?, expected: Int) {
    #expect(RetryAdvice.seconds(waiting: waiting, width: width, pace: pace) == expected)
  }

  @Test func forgetsRejectionsAfterAMinute() {
    var rejections = Rejections()
    rejections.recordRejection(at: 0)
    rejections.recordRejection(at: 30_000)
    #expect(rejections.count(at: 59_999) == 2)
    #expect(rejections.count(at: 60_000) == 1)
    #expect(rejections.count(at: 90_001) == 0)
  }
}

@Suite struct ArrivalTests {
  private let scratch: TestFolder
  private let store: Store
  private let scheduler: LocalScheduler

  init() throws {
    scratch = try TestFolder()
    var settings = ServiceSettings(
      host: "127.0.0.1", port: 0, data: scratch.path, jobs: 1, worker: "/worker", executable: "/galley")
    settings.bounds.waiting = 3
    store = try Store(folder: scratch.path)
    let data = try DataFolder(scratch.path)
    scheduler = LocalScheduler(
      settings: settings, store: store, data: data, reviews: .sample(store, data), renderEvents: RenderEvents(),
      gauges: ServiceGauges(), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, webhookIsDue: {})
  }

  /// The code with which an upload is turned away; nil when it may come.
  private func refusal(_ owner: String, key: String? = nil, most: Int? = nil) async -> String? {
    do throws(Problem) {
      try await scheduler.expect(owner: owner, key: key, mostOfOwner: most)
      return nil
    } catch {
      return error.fault.code
    }
  }

  @Test func anUploadTakesAPlaceOfItsOwnersAlone() async {
    #expect(await refusal("a", most: 1) == nil)
    #expect(await refusal("b", most: 1) == nil)
    #expect(await refusal("a", most: 1) == "renders-too-many")
    await scheduler.arrived(owner: "a")
    #expect(await refusal("a", most: 1) == nil)
  }

  @Test func uploadsFillTheQueueBeforeTheyHaveArrived() async {
    for owner in ["a", "b", "c"] { #expect(await refusal(owner) == nil) }
    #expect(await refusal("d") == "queue-full")
    await scheduler.arrived(owner: "c")
    #expect(await refusal("d") == nil)
  }

  @Test func oneCallersUploadsLeavePlacesForOthers() throws {
    var admission = Admission(capacity: 20, gauges: ServiceGauges())
    let load = Admission.Load(waiting: 0, own: 0, retryAfter: 7)
    for _ in 1...10 { try admission.expect("a", most: nil, load) }
    var refusal: Problem?
    do throws(Problem) { try admission.expect("a", most: nil, load) } catch { refusal = error }
    #expect(refusal?.fault.code == "requests-too-many" && refusal?.status == 429 && refusal?.retryAfter == 7)
    try admission.expect("b", most: nil, load)
    admission.arrived("a")
    try admission.expect("a", most: nil, load)
  }

  @Test func whatAKeyStandsForHasItsPlaceAlready() async throws {
    _ = try await store.accept(.sample("one", owner: "a", key: "k"))
    for _ in 1...3 { #expect(await refusal("b") == nil) }
    #expect(await refusal("a", key: "k") == nil)
    #expect(await refusal("a", key: "another") == "queue-full")
  }
}
