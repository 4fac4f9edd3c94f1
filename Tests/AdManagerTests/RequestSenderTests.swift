import AdManager
import Core
import Testing

/// Timer that fires when the test calls for it.
private final class ManualTimer: AdTimer {
  private(set) var delays: [Double] = []
  private var actions: [() -> Void] = []

  func schedule(after milliseconds: Double, _ action: @escaping () -> Void) {
    delays.append(milliseconds)
    actions.append(action)
  }

  func fire() { actions.removeFirst()() }
}

/// Behaviour that notes its calls under its name.
private final class Witness: RequestBehaviour {
  let name: String
  let note: (String) -> Void

  init(_ name: String, note: @escaping (String) -> Void) {
    self.name = name
    self.note = note
  }

  func beforeSend(_ request: inout AdRequest) { note("\(name) before \(request.attempt)") }
  func afterSuccess(_ request: AdRequest, size: Int?) { note("\(name) success \(size.map(String.init) ?? "-")") }
  func afterFailure(_ request: AdRequest, _ error: any Error, retryIn delay: Double?) {
    note("\(name) failure \(error) \(delay.map { "\($0.plain)" } ?? "-")")
  }
}

@Suite struct RequestSenderTests {
  private let timer = ManualTimer()

  private func sender(_ behaviours: any RequestBehaviour...) -> RequestSender {
    RequestSender(behaviour: CombinedBehaviour(behaviours), timer: timer)
  }

  @Test func `behaviours act in their order before and after`() {
    var heard: [String] = []
    let sender = sender(Witness("a") { heard.append($0) }, Witness("b") { heard.append($0) })
    let answer = sender.send(AdRequest(url: "x")) { _ in
      heard.append("load")
      return Promise(value: [UInt8](repeating: 0, count: 5))
    }
    #expect(heard == ["a before 1", "b before 1", "load", "a success 5", "b success 5"])
    #expect((try? answer.result?.get())?.count == 5)
  }

  @Test func `the loader gets what the behaviours made of the request`() {
    let sender = sender(AuthorizationBehaviour { "secret" }, AuthorizationBehaviour(scheme: "Basic") { nil })
    var sent: AdRequest?
    _ = sender.send(AdRequest(url: "x", headers: ["Accept": "*/*"])) { request in
      sent = request
      return Promise(value: 1)
    }
    #expect(sent?.headers == ["Accept": "*/*", "Authorization": "Bearer secret"])
  }

  @Test func `a failed request is tried again, later each time, until it has been often enough`() {
    var heard: [String] = []
    let metrics = MetricsBehaviour()
    let sender = sender(
      RetryBehaviour(BackOff(attempts: 3, first: 100, factor: 3)), metrics, Witness("w") { heard.append($0) })
    var loads = 0
    let answer = sender.send(AdRequest(url: "x")) { _ in
      loads += 1
      return Promise<Int>(error: AdError("down"))
    }
    #expect(answer.isPending)
    timer.fire()
    timer.fire()
    #expect(throws: AdError.self) { try answer.result?.get() }
    #expect(timer.delays == [100, 300])
    #expect(loads == 3)
    #expect(
      heard == [
        "w before 1", "w failure down 100", "w before 2", "w failure down 300", "w before 3", "w failure down -",
      ])
    #expect(metrics.metrics.sent == 3 && metrics.metrics.retried == 2 && metrics.metrics.failed == 1)
  }

  @Test func `another try that succeeds is a success`() {
    var heard: [String] = []
    var isShown = false
    let activity = ActivityBehaviour(show: { _ in isShown = true }, hide: { _ in isShown = false })
    let sender = sender(activity, RetryBehaviour(BackOff()), Witness("w") { heard.append($0) })
    let answer = sender.send(AdRequest(url: "x")) { request in
      request.attempt == 2 ? Promise(value: 7) : Promise(error: AdError("down"))
    }
    #expect(isShown)
    timer.fire()
    #expect(!isShown)
    #expect((try? answer.result?.get()) == 7)
    #expect(heard == ["w before 1", "w failure down 500", "w before 2", "w success -"])
  }

  @Test func `what isn't worth another try fails at once`() {
    let sender = sender(RetryBehaviour(BackOff()) { ($0 as? AdError)?.description != "gone" })
    let answer = sender.send(AdRequest(url: "x")) { _ in Promise<Int>(error: AdError("gone")) }
    #expect(!answer.isPending)
    #expect(timer.delays.isEmpty)
  }

  @Test func `cancelling ends the try under way, and everybody hears so once`() {
    var heard: [String] = []
    var isStopped = false
    let metrics = MetricsBehaviour()
    let sender = sender(RetryBehaviour(BackOff()), metrics, Witness("w") { heard.append($0) })
    let answer = sender.send(AdRequest(url: "x")) { _ in
      Promise<Int> { $0.onCancel { isStopped = true } }
    }
    answer.cancel()
    #expect(isStopped)
    #expect(heard == ["w before 1", "w failure cancelled -"])
    #expect(metrics.metrics.cancelled == 1)
  }

  @Test func `a request that is cancelled while it waits isn't sent again`() {
    var loads = 0
    let answer = sender(RetryBehaviour(BackOff())).send(AdRequest(url: "x")) { _ in
      loads += 1
      return Promise<Int>(error: AdError("down"))
    }
    answer.cancel()
    timer.fire()
    #expect(loads == 1)
  }

  @Test func `the indicator of an address shows while anything is under way to it`() {
    var shows: [Bool] = []
    let sender = sender(
      ActivityBehaviour(show: { _ in shows.append(true) }, hide: { _ in shows.append(false) }))
    let pairs = (0..<2).map { _ in Promise<Int>.pending() }
    for pair in pairs { _ = sender.send(AdRequest(url: "x")) { _ in pair.promise } }
    pairs[0].resolver.resolve(1)
    #expect(shows == [true])
    pairs[1].resolver.reject(AdError("down"))
    #expect(shows == [true, false])
  }

  @Test func `the log names every try, and of header fields no value`() {
    var events: [(String, JSONValue)] = []
    let sender = sender(
      AuthorizationBehaviour { "secret" }, RetryBehaviour(BackOff(attempts: 2)),
      LogBehaviour { events.append(($0, $1)) })
    _ = sender.send(AdRequest(url: "x")) { request in
      request.attempt == 1 ? Promise<[UInt8]>(error: AdError("down")) : Promise(value: [1, 2])
    }
    timer.fire()
    #expect(events.map(\.0) == ["requestSent", "requestFailed", "requestSent", "requestSucceeded"])
    #expect(events[0].1 == ["url": "x", "attempt": 1, "headers": ["Authorization"]])
    #expect(events[1].1 == ["url": "x", "attempt": 1, "error": "down", "retryIn": 500])
    #expect(events[3].1 == ["url": "x", "attempt": 2, "bytes": 2])
  }

  @Test(arguments: [(1, 100.0), (2, 400), (3, 1_000), (4, nil)])
  func `waits grow up to the longest and end with the last try`(attempt: Int, delay: Double?) {
    #expect(BackOff(attempts: 4, first: 100, factor: 4, longest: 1_000).delay(afterAttempt: attempt) == delay)
  }
}
