import Jobs
import Logging
import ServiceStore
import Testing

@testable import Service

@Suite struct ArrivalTests {
  private let scratch: Scratch
  private let store: Store
  private let desk: RenderDesk

  init() throws {
    scratch = try Scratch()
    var settings = ServiceSettings(
      host: "127.0.0.1", port: 0, data: scratch.path, jobs: 1, worker: "/worker", executable: "/galley")
    settings.bounds.waiting = 3
    store = try Store(folder: scratch.path)
    desk = RenderDesk(
      settings: settings, store: store, data: try DataFolder(scratch.path), bulletin: Bulletin(),
      gauges: ServiceGauges(), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, hookIsDue: {})
  }

  /// The code with which an upload is turned away; nil when it may come.
  private func refusal(_ owner: String, key: String? = nil, most: Int? = nil) async -> String? {
    do throws(Problem) {
      try await desk.expect(owner: owner, key: key, mostOfOwner: most)
      return nil
    } catch {
      return error.fault.code
    }
  }

  @Test func anUploadTakesAPlaceOfItsOwnersAlone() async {
    #expect(await refusal("a", most: 1) == nil)
    #expect(await refusal("b", most: 1) == nil)
    #expect(await refusal("a", most: 1) == "too-many-renders")
    await desk.arrived(owner: "a")
    #expect(await refusal("a", most: 1) == nil)
  }

  @Test func uploadsFillTheQueueBeforeTheyHaveArrived() async {
    for owner in ["a", "b", "c"] { #expect(await refusal(owner) == nil) }
    #expect(await refusal("d") == "queue-full")
    await desk.arrived(owner: "c")
    #expect(await refusal("d") == nil)
  }

  @Test func whatAKeyStandsForHasItsPlaceAlready() async throws {
    _ = try await store.accept(.sample("one", owner: "a", key: "k"))
    for _ in 1...3 { #expect(await refusal("b") == nil) }
    #expect(await refusal("a", key: "k") == nil)
    #expect(await refusal("a", key: "another") == "queue-full")
  }
}
