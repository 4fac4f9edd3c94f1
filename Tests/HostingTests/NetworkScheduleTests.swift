import Core
import Recordings
import Testing

@testable import Hosting

@Suite struct NetworkScheduleTests {
  private func piece(
    _ piece: Int, exchange: Int, after: Double = 0, bytes: Int = 0, _ kind: ScheduledChunk.Kind = .body
  ) -> ScheduledChunk {
    ScheduledChunk(piece: piece, exchange: exchange, order: 0, after: after, bytes: bytes, kind: kind)
  }

  private func all(_ schedule: inout NetworkSchedule, by end: Duration) -> [Int] {
    var found: [Int] = []
    while let (piece, _) = schedule.takeDue(at: end) { found.append(piece.piece) }
    return found
  }

  @Test func whoCameFirstToTheRecorderDoesNotMatter() {
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
      var schedule = NetworkSchedule(profile: nil)
      for number in order { schedule.add(piece(number, exchange: number * 10)) }
      schedule.place(at: .seconds(1))
      #expect(all(&schedule, by: .seconds(1)) == [0, 1, 2])
    }
  }

  @Test func whatIsDueLaterWaits() {
    var schedule = NetworkSchedule(profile: nil)
    schedule.add(piece(0, exchange: 0, after: 250))
    schedule.place(at: .seconds(1))
    #expect(schedule.takeDue(at: .seconds(1)) == nil && schedule.next == .milliseconds(1_250))
    schedule.remove(0)
    #expect(schedule.isEmpty)
  }

  @Test func aProfileIsArithmetic() throws {
    var schedule = NetworkSchedule(profile: try NetworkProfile(parsing: "latency=300ms,down=1.6mbit"))
    schedule.add(piece(0, exchange: 0, after: 9_999, .firstSecureHead))
    schedule.place(at: .zero)
    #expect(schedule.next == .milliseconds(900))
    _ = schedule.takeDue(at: .milliseconds(900))
    // Two bodies of a second each share the line.
    for number in [1, 2] { schedule.add(piece(number, exchange: number, bytes: 200_000)) }
    schedule.place(at: .milliseconds(900))
    #expect(schedule.next == .milliseconds(1_900))
    _ = schedule.takeDue(at: .milliseconds(1_900))
    #expect(schedule.next == .milliseconds(2_900))
  }

  @Test func afterItsEndANetworkSaysNothing() throws {
    var schedule = NetworkSchedule(profile: try NetworkProfile(parsing: "offline-after:2s"))
    schedule.add(piece(0, exchange: 0))
    schedule.place(at: .seconds(1))
    #expect(schedule.takeDue(at: .seconds(1))?.isLost == false)
    schedule.add(piece(1, exchange: 1))
    schedule.place(at: .seconds(2))
    #expect(schedule.takeDue(at: .seconds(2))?.isLost == true)
  }

  @Test func whatIsLostIsTheSameEachTime() throws {
    let instants = try (0..<2).map { _ in
      var schedule = NetworkSchedule(profile: try NetworkProfile(parsing: "loss=50%"))
      return (0..<50).map { number -> Duration in
        schedule.add(piece(number, exchange: number))
        schedule.place(at: .zero)
        defer { schedule.remove(number) }
        return schedule.next ?? .zero
      }
    }
    #expect(instants[0] == instants[1])
    #expect((10...40).contains(instants[0].filter { $0 > .zero }.count))
  }
}
