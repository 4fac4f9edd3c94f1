internal import Jobs
internal import Logging
internal import ServiceLifecycle
internal import ServiceStore

/// Tells addresses what they asked to hear, until they take it or all attempts are over.
struct HookSender: Service {
  let store: Store
  let signature: HookSignature
  let allowsPrivate: Bool
  /// The proxy that everything leaves the machine by; nil for none.
  let proxy: ProxyAddress?
  let gauges: ServiceGauges
  let log: Logger
  var curl = Curl()
  /// Says that something may be due.
  let wake: AsyncStream<Void>
  let waker: AsyncStream<Void>.Continuation

  func run() async throws {
    do throws(Fault) { try await curl.check() } catch { log.error("\(error.message)") }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        while (try? await Task.sleep(for: .seconds(1))) != nil { waker.yield() }
      }
      group.addTask {
        for await _ in wake.cancelOnGracefulShutdown() { await sendDue() }
      }
      // The clock ends with the sending.
      _ = try? await gracefulShutdown()
      group.cancelAll()
    }
  }

  private func sendDue() async {
    let due = (try? await store.hooks(due: Instant.now, limit: 16)) ?? []
    await withTaskGroup(of: Void.self) { group in
      for hook in due { group.addTask { await send(hook) } }
    }
  }

  private func send(_ hook: Hook) async {
    let problem = await post(hook)
    // Cut off by the server's end: the next one sends it.
    guard problem == nil || !Task.isCancelled else { return }
    do throws(Fault) {
      guard let problem else {
        gauges.delivered("delivered")
        return try await store.delivered(hook.id, at: Instant.now)
      }
      let next = HookSchedule.next(after: hook.attempts + 1, at: Instant.now, chance: .random(in: 0...1))
      gauges.delivered(next == nil ? "given-up" : "failed")
      log.warning("a webhook wasn't taken", metadata: ["render": "\(hook.render)", "problem": "\(problem)"])
      try await store.failed(hook.id, problem: problem, due: next)
    } catch {
      log.error("a webhook couldn't be noted", metadata: ["error": "\(error)"])
    }
  }

  /// Sends once; nil when it was taken, else why not.
  private func post(_ hook: Hook) async -> String? {
    do throws(Fault) {
      let address = try OutsideAddress(hook.address, allowsPrivate: allowsPrivate)
      let route = try await HookRoute.find(to: address, allowsPrivate: allowsPrivate, proxy: proxy)
      let headers = signature.headers(id: hook.id, timestamp: Instant.now / 1000, body: hook.body)
      let post = HookPost(address: address.text, route: route, headers: Self.headers + headers, body: hook.body)
      return try await curl.send(post).problem
    } catch {
      return error.message
    }
  }

  private static let headers = [
    (name: "content-type", value: "application/json"), (name: "user-agent", value: "Galley/\(Galley.version)"),
  ]
}
