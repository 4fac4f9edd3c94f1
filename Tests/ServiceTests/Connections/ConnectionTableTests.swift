import Testing

@testable import Service

@Suite struct ConnectionTableTests {
  private let bounds = ConnectionBounds(most: 6, mostOfOne: 3)
  private let attacker: [UInt8] = [1]
  private let person: [UInt8] = [2]

  /// Which connection has to go for one that comes; nil when there is no room.
  private func arrive(_ table: inout ConnectionTable, _ address: [UInt8]?) -> Int?? {
    table.arrive(from: address).map(\.leaving)
  }

  @Test func whoHasTooManyCrowdsOutHisOwn() {
    var table = ConnectionTable(bounds)
    #expect(arrive(&table, person) == .some(nil))
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
    #expect(arrive(&table, person) == .some(nil))
    table.rest(2)
    #expect(arrive(&table, attacker) == .some(2))
  }

  @Test func whereAllIsFullTheLargestCrowdMakesRoom() {
    var table = ConnectionTable(bounds)
    for address: [UInt8] in [person, [3], [4], attacker, attacker, attacker] { _ = table.arrive(from: address) }
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
