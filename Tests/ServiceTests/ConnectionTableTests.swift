import Foundation
@testable import Service
import Testing

@Suite struct ConnectionTableTests {
  private let bounds = ConnectionBounds(most: 6, mostOfOne: 3)
  private let attacker: [UInt8] = [1]
  private let user: [UInt8] = [2]

  /// Which connection has to go for one that comes; nil when there is no room.
  private func arrive(_ table: inout ConnectionTable, _ address: [UInt8]?) -> Int?? {
    table.arrive(from: address).map(\.leaving)
  }

  @Test func whoHasTooManyCrowdsOutHisOwn() {
    var table = ConnectionTable(bounds)
    #expect(arrive(&table, user) == .some(nil))
    for _ in 1...3 { #expect(arrive(&table, attacker) == .some(nil)) }
    #expect(arrive(&table, attacker) == .some(2))
    #expect(arrive(&table, attacker) == .some(3))
    #expect(table.count == 4)
  }

  @Test func aRequestUnderWayGivesWayToNobody() {
    var table = ConnectionTable(bounds)
    for id in 1...3 {
      _ = table.arrive(from: attacker)
      table.work(id)
    }
    #expect(arrive(&table, attacker) == nil)
    #expect(arrive(&table, user) == .some(nil))
    table.rest(2)
    #expect(arrive(&table, attacker) == .some(2))
  }

  @Test func whereAllIsFullTheLargestCrowdMakesRoom() {
    var table = ConnectionTable(bounds)
    for address: [UInt8] in [user, [3], [4], attacker, attacker, attacker] { _ = table.arrive(from: address) }
    #expect(arrive(&table, [5]) == .some(4))
    #expect(table.count == 6)
  }

  @Test func aTrustedProxyHasAsManyAsThereAre() {
    var table = ConnectionTable(bounds)
    for _ in 1...6 { #expect(arrive(&table, nil) == .some(nil)) }
    #expect(arrive(&table, nil) == .some(1))
    for id in 2...7 { table.work(id) }
    #expect(arrive(&table, nil) == nil)
  }

  @Test func whoLeavesMakesRoom() {
    var table = ConnectionTable(bounds)
    for id in 1...3 {
      _ = table.arrive(from: attacker)
      table.work(id)
    }
    table.leave(1)
    table.leave(1)
    #expect(arrive(&table, attacker) == .some(nil))
    #expect(arrive(&table, attacker) == .some(4))
  }
}

/// Clients that take their time, over real sockets; one after the other, since each wants the machine's attention.
@Suite(.serialized, .timeLimit(.minutes(4))) struct SlowClientTests {
  /// Both ends of the connections are this process's.
  init() throws {
    var limit = rlimit()
    try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    limit.rlim_cur = limit.rlim_max
    try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
  }

  private func hear(_ service: LiveService, after text: String) async throws -> String {
    let wire = try Wire(service.port)
    wire.say(text)
    return await wire.hear()
  }

  @Test(arguments: ["", "GET /healthz HTTP/1.1\r\nHost: 127"])
  func cutsAHeadThatDoesntEnd(beginning: String) async throws {
    try await LiveService.during {
      $0.bounds.connections.head = 0.3
    } _: { service in
      let heard = try await hear(service, after: beginning)
      #expect(heard == "")
      #expect(service.service.gauges.registry.text.contains("galley_connections_cut_total{reason=\"slow-head\"} 1\n"))
    }
  }

  @Test func cutsTheNextHeadOfAConnectionAsWell() async throws {
    try await LiveService.during {
      $0.bounds.connections.head = 0.3
    } _: { service in
      let wire = try Wire(service.port)
      wire.say("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
      #expect(await wire.hear(until: "}").hasPrefix("HTTP/1.1 200 OK"))
      // Whatever comes before the answer is over for the server counts with it; what comes after another's doesn't.
      wire.say("GET ")
      _ = try await service.ask("GET", "/healthz")
      wire.say("/hea")
      #expect(await wire.hear() == "")
    }
  }

  @Test func answersOthersWhileAThousandHeadsDontEnd() async throws {
    try await LiveService.during { service in
      var slow: [Wire] = []
      for _ in 1...1100 {
        let wire = try Wire(service.port)
        wire.say("GET / HTTP/1.1\r\n")
        slow.append(wire)
      }
      // From the same address as well, and one more time on each way.
      for address in ["127.0.0.1", "127.0.0.2", "127.0.0.1", "127.0.0.2"] {
        #expect(try await service.ask("GET", "/healthz", from: address).hasPrefix("HTTP/1.1 200 OK"))
      }
      slow.removeAll()
    }
  }

  @Test func cutsAClientThatTakesNothingOfItsAnswers() async throws {
    try await LiveService.during {
      $0.bounds.connections.stall = 0.4
    } _: { service in
      let wire = try Wire(service.port)
      // More than the sockets' buffers on both sides hold.
      let request = "GET /v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
      wire.say(String(repeating: request, count: 400))
      let cuts = service.service.gauges.registry
      while !cuts.text.contains("galley_connections_cut_total{reason=\"stalled\"} 1\n") { await Task.yield() }
    }
  }

  @Test func leavesAClientAloneThatTakesItsTime() async throws {
    try await LiveService.during {
      // Longer than a busy machine takes over a head that is whole.
      $0.bounds.connections.head = 3
    } _: { service in
      let wire = try Wire(service.port)
      wire.say("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
      _ = await wire.hear(until: "}")
      // Another's head is cut meanwhile; a connection that rests between requests isn't.
      #expect(try await hear(service, after: "GET /") == "")
      wire.say("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
      #expect(await wire.hear().hasPrefix("HTTP/1.1 200 OK"))
    }
  }

  @Test func whoHangsUpWhileWaitingForMemoryLeavesTheQueue() async throws {
    try await LiveService.during { service in
      let large = service.service.renders.large
      let (doors, leave) = AsyncStream.makeStream(of: Void.self)
      let (entries, entered) = AsyncStream.makeStream(of: Void.self)
      let inside = Task {
        try await large.pass {
          entered.finish()
          for await _ in doors {}
        }
      }
      for await _ in entries {}
      let wire = try Wire(service.port)
      let body = "{\"markup\": \"\(String(repeating: "x", count: 300_000))\"}"
      wire.say(
        "POST /v1/renders HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      while large.length == 0 { await Task.yield() }
      wire.hangUp()
      while large.length > 0 { await Task.yield() }
      #expect(await wire.hear().hasPrefix("HTTP/1.1 408"))
      leave.finish()
      try await inside.value
    }
  }
}
