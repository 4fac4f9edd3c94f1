import Service
import Testing

@Suite struct RenderQueueTests {
  private func queue(_ tickets: [(String, String)], capacity: Int = 10, width: Int = 2) -> RenderQueue {
    var queue = RenderQueue(capacity: capacity, width: width)
    for (id, owner) in tickets { queue.add(Ticket(id: id, owner: owner, deadline: 0)) }
    return queue
  }

  @Test func letsThroughAsManyAsMayBeUnderWay() {
    var queue = queue([("1", "a"), ("2", "a"), ("3", "a")])
    #expect(queue.admit().map(\.id) == ["1", "2"])
    #expect(queue.admit() == [])
    queue.remove("1")
    #expect(queue.admit().map(\.id) == ["3"])
  }

  @Test func givesOwnersTurns() {
    var queue = queue([("1", "a"), ("2", "a"), ("3", "a"), ("4", "b")])
    #expect(queue.admit().map(\.id) == ["1", "4"])
    queue.remove("4")
    #expect(queue.admit().map(\.id) == ["2"])
  }

  @Test func isFullAtItsCapacityOfWhoWaits() {
    var queue = queue([("1", "a"), ("2", "a"), ("3", "a")], capacity: 2, width: 1)
    #expect(queue.isFull)
    _ = queue.admit()
    #expect(queue.isFull)
    queue.remove("3")
    #expect(!queue.isFull)
  }

  @Test func countsAnOwnersWhereverTheyAre() {
    var queue = queue([("1", "a"), ("2", "b"), ("3", "a")], width: 1)
    _ = queue.admit()
    #expect(queue.count(of: "a") == 2)
    #expect(queue.remove("9") == false)
  }

  @Test func letsNobodyThroughOnceClosed() {
    var queue = queue([("1", "a")])
    queue.close()
    #expect(queue.admit() == [])
    #expect(queue.waiting.map(\.id) == ["1"])
  }

  @Test(arguments: [(0, 2, nil, 1), (5, 2, nil, 1), (5, 2, 3.0, 2), (5, 1, 300.0, 60), (5, 4, 0.1, 1)])
  func advisesToComeBackWhenARenderWillHaveEnded(waiting: Int, width: Int, pace: Double?, expected: Int) {
    #expect(RetryAdvice.seconds(waiting: waiting, width: width, pace: pace) == expected)
  }

  @Test func forgetsRejectionsAfterAMinute() {
    var rejections = Rejections()
    rejections.note(at: 0)
    rejections.note(at: 30_000)
    #expect(rejections.count(at: 59_999) == 2)
    #expect(rejections.count(at: 60_000) == 1)
    #expect(rejections.count(at: 90_001) == 0)
  }
}
