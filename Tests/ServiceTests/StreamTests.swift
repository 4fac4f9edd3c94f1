import Core
import Foundation
import NIOEmbedded
import TestFolders
import Testing

@testable import Scheduling
@testable import Service
@testable import Telemetry

/// Many live streams beside everything else, over real sockets; one test after the other, since each has hundreds.
@Suite(.serialized, .timeLimit(.minutes(4))) struct StreamTests {
  /// Raises the limit of open files, since both ends of the connections are this process's.
  init() throws {
    var limit = rlimit()
    try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    limit.rlim_cur = limit.rlim_max
    try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
  }

  /// A render that waits, of a token's.
  private func queued(_ service: LiveService, owner: String) async throws -> String {
    let new = NewRender.sample(RenderID.make(at: Instant.now), owner: owner)
    _ = try await service.service.renders.store.accept(new)
    return new.id
  }

  /// A stream of a render's events, as soon as it has said its first.
  private func stream(
    _ service: LiveService, _ id: String, _ token: String?, from address: String
  ) async throws -> Wire {
    let wire = try Wire(service.port, from: address)
    let own = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    wire.say(
      "GET /v1/renders/\(id)/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\(own)\r\n")
    #expect(await wire.hear(until: "event: status").contains("event: status"))
    return wire
  }

  @Test func manyStreamsOfATokenKeepNobodyOut() async throws {
    let scratch = try TestFolder()
    let file = TokenFile(scratch.path + "/tokens.json")
    let token = try file.add(name: "ci", scopes: [.read])
    let other = try file.add(name: "people", scopes: [.read])
    try await LiveService.during(
      scratch,
      {
        $0.tokens = file.path
        $0.bounds.connections.followersOfHolder = 20
      }
    ) { service in
      let id = try await queued(service, owner: "ci")
      var streams: [Wire] = []
      for number in 0..<240 {
        streams.append(try await stream(service, id, token, from: "127.0.0.\(2 + number % 2)"))
      }
      for address in ["127.0.0.2", "127.0.0.3", "127.0.0.4"] {
        #expect(try await service.ask("GET", "/healthz", from: address).hasPrefix("HTTP/1.1 200"))
        let list = try await service.ask("GET", "/v1/renders", ["Authorization": "Bearer \(other)"], from: address)
        #expect(list.hasPrefix("HTTP/1.1 200"))
      }
      let farewell = await streams[0].hear()
      #expect(farewell.contains("event: displaced\ndata: {\"retryAfter\":") && farewell.contains("retry: "))
      let cuts = service.service.gauges.registry.text
      #expect(cuts.contains("galley_connections_cut_total{reason=\"displaced\"} 220\n"))
      #expect(cuts.contains("galley_connections_cut_total{reason=\"refused\"} 0\n"))
      // The last ones go on to the end.
      service.service.renders.renderEvents.close()
      #expect(!(await streams[239].hear(until: "0\r\n\r\n")).contains("displaced"))
      streams.removeAll()
    }
  }

  @Test func aFullServerAnswersProbesAndTellsOthersToComeBack() async throws {
    try await LiveService.during {
      $0.bounds.connections.most = 2
      $0.bounds.connections.reserve = 3
    } _: { service in
      var uploads: [Wire] = []
      for _ in 0..<2 {
        let wire = try Wire(service.port)
        // Its body is awaited once this says so.
        wire.say(
          "POST /v1/renders HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            + "Expect: 100-continue\r\nContent-Length: 20\r\n\r\n{")
        uploads.append(wire)
      }
      while service.service.connections.answering < 2 { await Task.yield() }
      for path in ["/healthz", "/readyz", "/metrics"] {
        #expect(try await service.ask("GET", path).hasPrefix("HTTP/1.1 200"), "\(path)")
      }
      let refusal = try await service.ask("GET", "/v1/renders")
      #expect(refusal.hasPrefix("HTTP/1.1 503") && refusal.contains("connections-too-many"))
      #expect(refusal.lowercased().contains("retry-after: 5"))
      uploads.removeAll()
      while service.service.connections.answering > 0 { await Task.yield() }
      #expect(try await service.ask("GET", "/v1/renders").hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test func aWaitEndsWhenItsPlaceIsNeeded() async throws {
    try await LiveService.during { service in
      let id = try await queued(service, owner: "local")
      let row = try #require(try await service.service.renders.store.render(id))
      let connection = Connection(1, NIOAsyncTestingChannel())
      let waiting = Task { try await service.service.renders.wait(for: row, seconds: 1_000, unless: connection) }
      connection.hangUp()
      connection.giveWay()
      #expect(try await waiting.value.id == id)
    }
  }
}
