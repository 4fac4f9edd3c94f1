import Core
import Foundation
import Logging
import RenderModel
import ServiceLifecycle
import TestFolders
import Testing

@testable import Service
@testable import Telemetry

@Suite struct WebhookTests {
  /// The example of the specification at standardwebhooks.com.
  @Test func signsAsTheSpecificationSays() throws {
    let signature = try #require(WebhookSignature(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    let headers = signature.headers(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: #"{"test": 2432232314}"#)
    #expect(headers.map(\.0) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
    #expect(headers.map(\.1).last == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }

  @Test func makesSecretsThatItTakes() {
    #expect(WebhookSignature(secret: WebhookSignature.newSecret() + "\n") != nil)
    for secret in ["", "whsec_", "whsec_c2hvcnQ=", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] {
      #expect(WebhookSignature(secret: secret) == nil)
    }
  }

  @Test func triesAgainLessAndLessOftenAndThenGivesUp() {
    let pauses = (1...10).map { WebhookSchedule.next(after: $0, at: 1000, chance: 0).map { ($0 - 1000) / 1000 } }
    #expect(pauses == [5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 36_000, nil])
    #expect(WebhookSchedule.next(after: 1, at: 0, chance: 1) == 5500)
  }
}

@Suite struct WebhookPostTests {
  private func lines(_ route: WebhookRoute, headers: [(name: String, value: String)] = [], body: String = "{}")
    -> [String]
  {
    let post = WebhookPost(address: "https://a.example/h", route: route, headers: headers, body: body)
    return post.configuration.split(separator: "\n").map(String.init)
  }

  @Test func saysAllThatCurlHasToKnow() {
    let headers = [(name: "webhook-id", value: "msg_1"), (name: "webhook-signature", value: "v1,a=")]
    #expect(
      lines(.open, headers: headers, body: #"{"name":"a"}"#) == [
        "silent", "globoff", "path-as-is",
        #"url = "https://a.example/h""#, #"proto = "=http,https""#, #"connect-timeout = "5""#, #"max-time = "15""#,
        #"output = "/dev/null""#, #"write-out = "%{http_code} %{http_connect} %{errormsg}""#,
        #"data-raw = "{\"name\":\"a\"}""#,
        #"header = "webhook-id: msg_1""#, #"header = "webhook-signature: v1,a=""#,
        #"noproxy = "*""#,
      ])
  }

  @Test func keepsAValueOnItsLine() {
    let body = "\"\\\n\r\t é\nurl = \"file:///etc/passwd\""
    let told = lines(.open, headers: [(name: "a", value: "b\nproxy = c")], body: body)
    #expect(told.contains(#"data-raw = "\"\\\n\r\t é\nurl = \"file:///etc/passwd\"""#))
    #expect(told.contains(#"header = "a: b\nproxy = c""#))
    #expect(told.count == lines(.open).count + 1)
  }

  @Test(arguments: [("93.184.216.34", "::93.184.216.34:"), ("2606:4700::1111", "::[2606:4700::1111]:")])
  func connectsToTheAddressThatWasLookedAt(address: String, pin: String) {
    #expect(Array(lines(.pinned(address)).suffix(2)) == [#"noproxy = "*""#, "connect-to = \"\(pin)\""])
  }

  @Test(arguments: [
    ("http://10.0.0.1:3128", "http://10.0.0.1:3128"), ("http://[fd00::1]:3128/", "http://[fd00::1]:3128"),
  ])
  func goesByTheProxyAlone(text: String, proxy: String) throws {
    let address = try #require(ProxyAddress(text))
    #expect(Array(lines(.proxy(address)).suffix(2)) == [#"noproxy = """#, "proxy = \"\(proxy)\""])
  }
}

@Suite struct WebhookRouteTests {
  private func route(
    _ address: String, allowsPrivate: Bool = false, proxy: ProxyAddress? = nil
  ) async throws -> WebhookRoute {
    // Taken when private ones were allowed, so that only the looking up can refuse it.
    try await WebhookRoute.find(
      to: OutsideAddress(address, allowsPrivate: true), allowsPrivate: allowsPrivate, proxy: proxy)
  }

  @Test(arguments: [
    ("http://1.1.1.1:8080/", "1.1.1.1"), ("https://16843009/", "1.1.1.1"),
    ("http://[2606:4700::1111]/", "2606:4700::1111"),
  ])
  func pinsTheAddressThatIsPublic(address: String, pin: String) async throws {
    #expect(try await route(address) == .pinned(pin))
  }

  @Test(arguments: [
    ("http://localhost/", "address-private"), ("http://[::1]/", "address-private"),
    ("http://\(String(repeating: "a", count: 64)).example/", "host-unknown"),
  ])
  func refusesWhatLeadsInside(address: String, code: String) async throws {
    await #expect { try await route(address) } throws: { ($0 as? Fault)?.code == code }
  }

  @Test func looksNothingUpWhereOthersDecide() async throws {
    let proxy = try #require(ProxyAddress("http://10.0.0.1:3128"))
    #expect(try await route("http://localhost/", proxy: proxy) == .proxy(proxy))
    #expect(try await route("http://localhost/", allowsPrivate: true) == .open)
  }
}

@Suite(.timeLimit(.minutes(1))) struct WebhookSenderTests {
  private let scratch: TestFolder
  private let store: Store
  private let gauges = ServiceGauges()

  init() throws {
    scratch = try TestFolder()
    store = try Store(folder: scratch.path)
  }

  /// Something to tell an address at an instant.
  private func add(_ id: String, _ address: String, receiver: String, due: Int64) async throws {
    _ = try await store.accept(.sample(id))
    _ = try await store.end(
      id, RenderCompletion(status: .completed, finished: due, hook: .sample(id, address: address, receiver: receiver)))
  }

  /// Sends while something is done.
  private func sending(_ work: @escaping @Sendable () async throws -> Void) async throws {
    let (wake, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let sender = WebhookSender(
      store: store.webhooks, signature: try #require(WebhookSignature(secret: WebhookSignature.newSecret())),
      allowsPrivate: true,
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
      while try await store.webhooks.due(at: 100, limit: 99).contains(where: { $0.id == "ready" }) {
        await Task.yield()
      }
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
      while try await store.webhooks.next(after: 0) != nil { await Task.yield() }
    }
  }
}

@Suite struct WebhookLoadTests {
  @Test func hasRoomForAFewOfEachReceiver() async throws {
    let scratch = try TestFolder()
    let store = try Store(folder: scratch.path)
    for number in 1...50 {
      let receiver = number <= 10 ? "slow" : "host-\(number)"
      _ = try await store.accept(.sample("r\(number)"))
      let message = RenderCompletion.Message.sample("h\(number)", receiver: receiver)
      _ = try await store.end(
        "r\(number)", RenderCompletion(status: .completed, finished: Int64(number), hook: message))
    }
    let load = WebhookLoad()
    let first = try await store.webhooks.due(at: 100, limit: 10).filter { load.reserve($0) }
    #expect(first.map(\.id) == ["h1", "h2", "h3", "h4"])
    #expect(load.full == ["slow"])
    let next = try await store.webhooks.due(at: 100, limit: 99, except: load.webhooks, receivers: load.full)
    #expect(next.map(\.receiver).first == "host-11")
    #expect(next.count { load.reserve($0) } == WebhookLoad.most - 4)
    #expect(load.room == 0)
    load.leave(first[0])
    load.leave(first[0])
    #expect(load.room == 1)
    #expect(load.full == [])
  }
}

@Suite struct WebhookStoreTests {
  private let scratch: TestFolder
  private let store: Store

  init() async throws {
    scratch = try TestFolder()
    store = try Store(folder: scratch.path)
    _ = try await store.accept(.sample("one"))
    var ending = RenderCompletion.completed(at: 100)
    ending.hook = .sample("msg_1")
    _ = try await store.end("one", ending)
  }

  @Test func isDueFromTheRendersEnd() async throws {
    #expect(try await store.webhooks.due(at: 99, limit: 9) == [])
    #expect(try await store.webhooks.due(at: 100, limit: 9).map(\.id) == ["msg_1"])
    #expect(try await store.webhooks.next(after: 0) == 100)
  }

  @Test func comesBackLaterWhenItFailed() async throws {
    try await store.webhooks.failed("msg_1", problem: "refused", due: 500)
    #expect(try await store.webhooks.due(at: 499, limit: 9) == [])
    #expect(try await store.webhooks.due(at: 500, limit: 9).map(\.attempts) == [1])
  }

  @Test func isOverOnceDeliveredOrGivenUp() async throws {
    try await store.webhooks.delivered("msg_1", at: 200)
    #expect(try await store.webhooks.next(after: 0) == nil)
    try await store.webhooks.failed("msg_1", problem: "late", due: nil)
    #expect(try await store.webhooks.due(at: 10_000, limit: 9) == [])
  }

  @Test func goesWithItsRender() async throws {
    #expect(try await store.forget("one"))
    #expect(try await store.webhooks.next(after: 0) == nil)
  }
}
