import Testing

@testable import AdExperience

/// What keeps callbacks in order.
@Suite struct ActionQueueTests {
  let queue = ActionQueue()
  let journal = Journal()

  @Test func actionRunsAtOnceWhenNothingIsUnderWay() {
    queue.add { [journal] in journal.note("a") }
    #expect(journal.lines == ["a"])
  }

  @Test func actionAddedByAnActionRunsAfterThoseThatWait() {
    queue.hold {
      queue.add { [queue, journal] in
        journal.note("a")
        queue.add { journal.note("c") }
      }
      queue.add { [journal] in journal.note("b") }
    }
    #expect(journal.lines == ["a", "b", "c"])
  }

  @Test func holdingRunsItsBodyAtOnceAndTheRestAfterwards() {
    queue.hold { [queue, journal] in
      queue.add { journal.note("c") }
      queue.hold { journal.note("a") }
      journal.note("b")
    }
    #expect(journal.lines == ["a", "b", "c"])
  }
}
