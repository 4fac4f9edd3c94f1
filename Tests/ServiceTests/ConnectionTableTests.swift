import Foundation
import Testing

@testable import Service
@testable import Telemetry

@Suite struct ConnectionTableTests {
  private let bounds = ConnectionBounds(most: 6, mostOfOne: 3, reserve: 0)
  private let attacker: [UInt8] = [1]
  private let user: [UInt8] = [2]

  /// Adds a connection; returns the id of the one that has to close for it, `.some(nil)` for none, or nil if there is
  /// no room.
  private func arrive(_ table: inout ConnectionTable, _ address: [UInt8]?) -> Int?? {
    table.arrive(from: address).map { $0.leaving?.id }
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
      _ = table.work(id)
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
    for id in 2...7 { _ = table.work(id) }
    #expect(arrive(&table, nil) == nil)
  }

  @Test func whoLeavesMakesRoom() {
    var table = ConnectionTable(bounds)
    for id in 1...3 {
      _ = table.arrive(from: attacker)
      _ = table.work(id)
    }
    table.leave(1)
    table.leave(1)
    #expect(arrive(&table, attacker) == .some(nil))
    #expect(arrive(&table, attacker) == .some(4))
  }
}

/// Places reserved for probes, and connections that wait for news.
@Suite struct SharedPlacesTests {
  private let one: [UInt8] = [1]
  private let other: [UInt8] = [2]

  private func follow(_ table: inout ConnectionTable, _ id: Int) -> ConnectionTable.Leaving? { table.follow(id) }

  private func identify(_ table: inout ConnectionTable, _ id: Int, _ token: String) -> Bool {
    table.identify(id, as: token)
  }

  /// Opens connections of an address with a request that is answered for a token.
  private func fill(_ table: inout ConnectionTable, _ count: Int, from address: [UInt8]?, as token: String) {
    for _ in 0..<count {
      guard let id = table.arrive(from: address)?.id else { continue }
      _ = table.work(id)
      let isCounted = table.identify(id, as: token)
      #expect(isCounted)
    }
  }

  @Test func aPlaceForAProbeIsThereWhereNoOtherIs() {
    var table = ConnectionTable(ConnectionBounds(most: 2, mostOfOne: 2, reserve: 2, reserveOfOne: 1))
    fill(&table, 2, from: one, as: "a")
    let probe = table.arrive(from: one)
    #expect(probe?.isReserved == true && probe?.leaving == nil)
    // Another of the same address takes that one's place while it rests, and none while it is answered.
    let next = table.arrive(from: one)
    #expect(next?.leaving?.id == probe?.id)
    let others = table.arrive(from: other)
    #expect(others?.isReserved == true)
    let isPlaced = table.work(next?.id ?? 0)
    let third = table.arrive(from: one)
    #expect(!isPlaced && third == nil)
  }

  @Test func aPlaceForAProbeBecomesAnOrdinaryOneOnceThereIsRoom() {
    var table = ConnectionTable(ConnectionBounds(most: 1, mostOfOne: 1, reserve: 1, reserveOfOne: 1))
    fill(&table, 1, from: one, as: "a")
    let id = table.arrive(from: other)?.id ?? 0
    let before = table.work(id)
    table.rest(id)
    table.leave(1)
    let after = table.work(id)
    #expect(!before && after)
  }

  @Test func aTokensOldestStreamGivesWayToItsNext() {
    var table = ConnectionTable(ConnectionBounds(followersOfHolder: 2))
    fill(&table, 3, from: nil, as: "a")
    fill(&table, 1, from: nil, as: "b")
    let leaving = [1, 2, 4, 3].map { follow(&table, $0) }
    #expect(leaving == [nil, nil, nil, ConnectionTable.Leaving(id: 1, isFollowing: true)])
    #expect(table.count == 3)
  }

  @Test func whereThereAreTooManyStreamsTheLargestCrowdGivesWay() {
    var table = ConnectionTable(ConnectionBounds(followers: 3, followersOfHolder: 3))
    fill(&table, 1, from: nil, as: "a")
    fill(&table, 2, from: nil, as: "b")
    fill(&table, 1, from: nil, as: "c")
    let leaving = (1...4).map { follow(&table, $0)?.id }
    #expect(leaving == [nil, nil, nil, 2])
  }

  @Test func aStreamGivesWayToAConnectionThatComes() {
    var table = ConnectionTable(ConnectionBounds(most: 3, mostOfOne: 2, reserve: 0))
    fill(&table, 2, from: one, as: "a")
    for id in 1...2 { _ = table.follow(id) }
    let second = table.arrive(from: one)
    #expect(second?.leaving == ConnectionTable.Leaving(id: 1, isFollowing: true))
    let third = table.arrive(from: other)
    #expect(third != nil && third?.leaving == nil)
    // A connection that rests goes first.
    let fourth = table.arrive(from: nil)
    #expect(fourth?.leaving?.isFollowing == false)
  }

  @Test func aTokensRequestsAreBounded() {
    var table = ConnectionTable(ConnectionBounds(mostOfHolder: 2))
    fill(&table, 2, from: nil, as: "a")
    let third = table.arrive(from: nil)?.id ?? 0
    _ = table.work(third)
    let answers = ["a", "b"].map { identify(&table, third, $0) }
    #expect(answers == [false, true])
    table.rest(1)
    let fourth = table.arrive(from: nil)?.id ?? 0
    _ = table.work(fourth)
    let isCounted = identify(&table, fourth, "a")
    #expect(isCounted)
  }
}

/// Slow clients over real sockets; tests run one after the other, since each needs the whole machine.
@Suite(.serialized, .timeLimit(.minutes(4))) struct SlowClientTests {
  /// Raises the limit of open files, since both ends of the connections are this process's.
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
