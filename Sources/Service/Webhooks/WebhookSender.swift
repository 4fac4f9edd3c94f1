internal import Core
internal import Logging
internal import RenderModel
internal import ServiceLifecycle
internal import Synchronization
internal import Telemetry

/// Sends webhooks to their addresses until they are accepted or all attempts have failed.
struct WebhookSender: Service {
  let store: WebhookStore
  let signature: WebhookSignature
  let allowsPrivate: Bool
  /// The proxy for all outgoing requests; nil for none.
  let proxy: ProxyAddress?
  let gauges: ServiceGauges
  let log: Logger
  var curl = Curl()
  /// Election of the server that sends webhooks.
  var leadership = Leadership(isAlone: true)
  /// Signals that a webhook may be due.
  let wake: AsyncStream<Void>
  let waker: AsyncStream<Void>.Continuation

  func run() async throws {
    do throws(Fault) { try await curl.check() } catch { log.error("\(error.message)") }
    let load = WebhookLoad()
    // What a server before this one left may be due already.
    waker.yield()
    await withDiscardingTaskGroup { group in
      var alarm: Task<Void, Never>?
      for await _ in wake.cancelOnGracefulShutdown() {
        let next = await sendDue(load, &group)
        alarm?.cancel()
        alarm = next.map { next in Task { await ring(at: next) } }
      }
      alarm?.cancel()
      group.cancelAll()
    }
  }

  /// Sends due webhooks within the limits; returns the time of the next check, nil to wait for a signal.
  private func sendDue(_ load: WebhookLoad, _ group: inout DiscardingTaskGroup) async -> Int64? {
    let now = Instant.now
    // It may be its turn in a while.
    guard leadership.isHeld else { return now + 3000 }
    do throws(Fault) {
      while load.room > 0 {
        let due = try await store.due(at: now, limit: load.room, except: load.webhooks, receivers: load.full)
        if due.isEmpty { break }
        for webhook in due where load.reserve(webhook) {
          group.addTask {
            await send(webhook)
            load.leave(webhook)
            waker.yield()
          }
        }
      }
      return try await store.next(after: now)
    } catch {
      if !Task.isCancelled { log.error("webhooks can't be read", metadata: ["error": "\(error)"]) }
      return now + 5000
    }
  }

  private func ring(at instant: Int64) async {
    guard (try? await Task.sleep(for: .milliseconds(max(0, instant - Instant.now)))) != nil else { return }
    waker.yield()
  }

  private func send(_ webhook: Webhook) async {
    let problem = await post(webhook)
    // Cut off by the server's end: the next one sends it.
    guard problem == nil || !Task.isCancelled else { return }
    let now = Instant.now
    guard let problem else {
      gauges.delivered("delivered")
      return await note(webhook) { () throws(Fault) in try await store.delivered(webhook.id, at: now) }
    }
    let next = WebhookSchedule.next(after: webhook.attempts + 1, at: now, chance: .random(in: 0...1))
    gauges.delivered(next == nil ? "given-up" : "failed")
    log.warning("a webhook wasn't delivered", metadata: ["render": "\(webhook.render)", "problem": "\(problem)"])
    await note(webhook) { () throws(Fault) in try await store.failed(webhook.id, problem: problem, due: next) }
  }

  /// Stores the outcome of an attempt, repeatedly until that succeeds, because the webhook would be sent again
  /// otherwise.
  private func note(_ webhook: Webhook, _ write: () async throws(Fault) -> Void) async {
    var pause = 1.0
    while true {
      do throws(Fault) {
        return try await write()
      } catch {
        log.error("a webhook can't be recorded", metadata: ["render": "\(webhook.render)", "error": "\(error)"])
      }
      guard (try? await Task.sleep(for: Bounded.seconds(pause))) != nil else { return }
      pause = min(30, pause * 2)
    }
  }

  /// Sends once; nil if it was accepted, else a description of the failure.
  private func post(_ webhook: Webhook) async -> String? {
    do throws(Fault) {
      let address = try OutsideAddress(webhook.address, allowsPrivate: allowsPrivate)
      let route = try await WebhookRoute.find(to: address, allowsPrivate: allowsPrivate, proxy: proxy)
      let headers = signature.headers(id: webhook.id, timestamp: Instant.now / 1000, body: webhook.body)
      let post = WebhookPost(address: address.text, route: route, headers: Self.headers + headers, body: webhook.body)
      return try await curl.send(post).problem
    } catch {
      return error.message
    }
  }

  private static let headers = [
    (name: "content-type", value: "application/json"), (name: "user-agent", value: "Galley/\(Galley.version)"),
  ]
}

/// The webhooks being sent: limited in total and per receiver, so that a slow receiver doesn't delay the others.
final class WebhookLoad: Sendable {
  /// Maximum number of webhooks being sent in total, and to one receiver.
  static let most = 32
  private static let mostOfOne = 4

  private struct Book {
    var webhooks: Set<String> = []
    var receivers: [String: Int] = [:]
  }

  private let book = Mutex(Book())

  /// Number of webhooks that may still be sent now.
  var room: Int { book.withLock { Self.most - $0.webhooks.count } }
  /// Ids of the webhooks being sent.
  var webhooks: Set<String> { book.withLock { $0.webhooks } }
  /// Receivers that have reached their limit.
  var full: Set<String> { book.withLock { Set($0.receivers.filter { $0.value >= Self.mostOfOne }.keys) } }

  /// Reserves a place for a webhook; false if a limit is reached or it is being sent already.
  func reserve(_ webhook: Webhook) -> Bool {
    book.withLock { book in
      guard book.webhooks.count < Self.most, book.receivers[webhook.receiver, default: 0] < Self.mostOfOne,
        book.webhooks.insert(webhook.id).inserted
      else { return false }
      book.receivers[webhook.receiver, default: 0] += 1
      return true
    }
  }

  /// Frees the place of a webhook.
  func leave(_ webhook: Webhook) {
    book.withLock { book in
      guard book.webhooks.remove(webhook.id) != nil else { return }
      book.receivers[webhook.receiver, default: 1] -= 1
      if book.receivers[webhook.receiver] == 0 { book.receivers[webhook.receiver] = nil }
    }
  }
}

/// Schedule of repeated attempts for a webhook.
package enum WebhookSchedule {
  /// Seconds between attempts, about 20 hours in total.
  private static let pauses: [Int64] = [5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 36_000]

  /// Time of the next attempt after so many, in milliseconds since 1970; nil to give up.
  ///
  /// - Parameter chance: from 0 to 1, adds up to a tenth of the pause, so that simultaneous failures aren't repeated
  /// simultaneously.
  package static func next(after attempts: Int, at instant: Int64, chance: Double) -> Int64? {
    guard attempts >= 1, attempts <= pauses.count else { return nil }
    let pause = Double(pauses[attempts - 1]) * (1 + chance / 10)
    return instant + Int64(Bounded.int(pause * 1000, in: 0...1_000_000_000))
  }
}
