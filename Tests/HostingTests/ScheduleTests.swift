import Testing

@testable import Hosting

@Suite("A schedule") struct ScheduleTests {
  @Test("gives what is due in the order of its instants, whoever asks first") func order() {
    var schedule = Schedule()
    var done: [String] = []
    for (name, due) in [("late", 30), ("first", 10), ("second", 10), ("between", 20)] {
      schedule.add(at: .milliseconds(due)) { done.append(name) }
    }
    #expect(schedule.next(dueBy: .milliseconds(9)) == nil)
    while let action = schedule.next(dueBy: .milliseconds(20)) { action() }
    #expect(done == ["first", "second", "between"])
    #expect(schedule.count == 1)
  }
}
