import Foundation
import Logging
import ServiceLifecycle
import ServiceStore
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(1))) struct HookSenderTests {
  private let scratch: Scratch
  private let store: Store
  private let gauges = ServiceGauges()

  init() throws {
    scratch = try Scratch()
    store = try Store(folder: scratch.path)
  }

  /// Something to tell an address at an instant.
  private func add(_ id: String, _ address: String, receiver: String, due: Int64) async throws {
    _ = try await store.accept(.sample(id))
    _ = try await store.end(
      id, Ending(status: .completed, finished: due, hook: .sample(id, address: address, receiver: receiver)))
  }

  /// Sends while something is done.
  private func sending(_ work: @escaping @Sendable () async throws -> Void) async throws {
    let (wake, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let sender = HookSender(
      store: store, signature: try #require(HookSignature(secret: HookSignature.newSecret())), allowsPrivate: true,
      proxy: nil, gauges: gauges, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, wake: wake,
      waker: waker)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await sender.run() }
      group.addTask { try await work() }
      try await group.next()
      group.cancelAll()
    }
  }

  @Test func aReceiverThatHangsDelaysNobodyElse() async throws {
    let (hanging, ready) = (try Listener(nil), try Listener("HTTP/1.1 204 No Content\r\n\r\n"))
    for number in 1...40 {
      let address = "http://127.0.0.1:\(hanging.port)/\(number)"
      try await add("hangs-\(number)", address, receiver: "127.0.0.1", due: Int64(number))
    }
    try await add("ready", "http://localhost:\(ready.port)/", receiver: "localhost", due: 100)
    let begun = ContinuousClock.now
    try await sending { [store] in
      _ = await ready.requests.first { _ in true }
      while try await store.hooks(due: 100, limit: 99).contains(where: { $0.id == "ready" }) { await Task.yield() }
    }
    // The hanging one takes 15 s each time.
    #expect(begun.duration(to: .now) < .seconds(8))
  }

  @Test func sendsAtItsInstantAndNotBefore() async throws {
    let ready = try Listener("HTTP/1.1 204 No Content\r\n\r\n")
    let due = Instant.now + 700
    try await add("one", "http://localhost:\(ready.port)/", receiver: "localhost", due: due)
    try await sending { _ = await ready.requests.first { _ in true } }
    #expect(Instant.now >= due)
  }

  @Test func isntSentAgainBecauseItCouldntBeNoted() async throws {
    let ready = try Listener("HTTP/1.1 204 No Content\r\n\r\n")
    let address = "http://localhost:\(ready.port)/"
    try await add("one", address, receiver: "localhost", due: 1)
    try await add("two", address, receiver: "localhost", due: Instant.now + 1500)
    // A note of the first can't be written before the second was sent, and each look would find the first due again.
    try await store.breakDown("hook")
    try await sending { [store] in
      var paths: [String] = []
      for await request in ready.requests {
        paths.append(request.firstMatch(of: /webhook-id: (\w+)/).map { String($0.1) } ?? "")
        if paths.count == 2 { break }
      }
      #expect(paths.sorted() == ["one", "two"])
      try await store.recover()
      while try await store.nextHook(after: 0) != nil { await Task.yield() }
    }
  }
}

@Suite struct HookLoadTests {
  @Test func hasRoomForAFewOfEachReceiver() async throws {
    let scratch = try Scratch()
    let store = try Store(folder: scratch.path)
    for number in 1...50 {
      let receiver = number <= 10 ? "slow" : "host-\(number)"
      _ = try await store.accept(.sample("r\(number)"))
      let message = Ending.Message.sample("h\(number)", receiver: receiver)
      _ = try await store.end("r\(number)", Ending(status: .completed, finished: Int64(number), hook: message))
    }
    let load = HookLoad()
    let first = try await store.hooks(due: 100, limit: 10).filter { load.take($0) }
    #expect(first.map(\.id) == ["h1", "h2", "h3", "h4"])
    #expect(load.full == ["slow"])
    let next = try await store.hooks(due: 100, limit: 99, except: load.hooks, receivers: load.full)
    #expect(next.map(\.receiver).first == "host-11")
    #expect(next.count { load.take($0) } == HookLoad.most - 4)
    #expect(load.room == 0)
    load.leave(first[0])
    load.leave(first[0])
    #expect(load.room == 1)
    #expect(load.full == [])
  }
}
