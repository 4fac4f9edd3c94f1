internal import AsyncHTTPClient
internal import FoundationEssentials
internal import Jobs
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
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
  /// Says that something may be due.
  let wake: AsyncStream<Void>
  let waker: AsyncStream<Void>.Continuation

  func run() async throws {
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
    do {
      let address = try OutsideAddress(hook.address, allowsPrivate: allowsPrivate)
      let client = try await client(for: address)
      let result: String?
      do {
        result = try await Self.post(hook, to: address, signature, client)
      } catch {
        result = "\(error)"
      }
      try? await client.shutdown()
      return result
    } catch let fault as Fault {
      return fault.message
    } catch {
      return "\(error)"
    }
  }

  private static func post(
    _ hook: Hook, to address: OutsideAddress, _ signature: HookSignature, _ client: HTTPClient
  ) async throws -> String? {
    var request = HTTPClientRequest(url: address.text)
    request.method = .POST
    request.headers.add(name: "content-type", value: "application/json")
    request.headers.add(name: "user-agent", value: "Galley/\(Galley.version)")
    for (name, value) in signature.headers(id: hook.id, timestamp: Instant.now / 1000, body: hook.body) {
      request.headers.add(name: name, value: value)
    }
    request.body = .bytes(ByteBuffer(string: hook.body))
    let response = try await client.execute(request, timeout: .seconds(15))
    return (200..<300).contains(response.status.code) ? nil : "it answered \(response.status.code)"
  }

  /// A client that follows nowhere and, unless a proxy sees to it, calls the very address that was looked at.
  private func client(for address: OutsideAddress) async throws -> HTTPClient {
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    configuration.timeout = .init(connect: .seconds(5), read: .seconds(10))
    if let proxy {
      configuration.proxy = .server(host: proxy.host, port: proxy.port)
    } else if !allowsPrivate {
      let host = address.host
      let found = try await NIOThreadPool.singleton.runIfActive { OutsideAddress.lookUp(host, numericOnly: false) }
      guard let first = found.first else { throw Fault.request("host-unknown", "\(host) has no address") }
      guard found.allSatisfy({ OutsideAddress.isPublic($0.bytes) }) else { throw OutsideAddress.refusal(host) }
      configuration.dnsOverride = [host: first.text]
    }
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }
}
