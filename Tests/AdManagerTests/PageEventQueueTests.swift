import AdManager
import Device
import Testing

/// Order of a page's events: those reported at once, those that wait, and those that overtake others.
@Suite struct PageEventQueueTests {
  private typealias Queue = PageEventQueue<String, String>

  private static let loading = PageCircumstances(loadPhase: .loading)
  private static let drawing = PageCircumstances(loadPhase: .drawing)
  private static let own = PageCircumstances()
  private static let answering = PageCircumstances(isAnswering: true)
  private static let unloaded = PageCircumstances(loadPhase: .loading, adIsLoaded: false)
  private static let browser = PageCircumstances(loadPhase: .loading, isPart: false)

  private func said(_ text: String, _ page: AdViewID = .creative) -> PageEvent<String> {
    PageEvent(page: page, kind: .other, content: text)
  }

  private func thrown(_ line: Double) -> PageEvent<String> {
    PageEvent(
      page: .creative, kind: .uncaught(SourcePlace(file: "a.js", line: line, text: "")), content: "line \(Int(line))")
  }

  private func event(_ kind: PageEvent<String>.Kind, _ text: String) -> PageEvent<String> {
    PageEvent(page: .creative, kind: kind, content: text)
  }

  /// Adds events of one page and returns those that are reported at once.
  private func add(
    _ events: [PageEvent<String>], of page: PageCircumstances, to queue: inout Queue,
    hostRests: Bool = false
  ) -> [String] {
    var told: [String] = []
    for event in events { told += queue.add(event, of: page, hostRests: hostRests) }
    return told
  }

  /// Removes and returns all waiting events.
  private func rest(of queue: inout Queue) -> [String] {
    var told: [String] = []
    while !queue.isEmpty { told += queue.next() }
    return told
  }

  @Test func tellsAPagesOwnDoingAtOnceWhileTheHostRests() {
    var queue = Queue(capacity: 10)
    let told = add([said("a"), said("b")], of: Self.own, to: &queue, hostRests: true)
    #expect(told == ["a", "b"])
    #expect(queue.isEmpty)
  }

  @Test func keepsItInOrderWhileTheHostIsBusy() {
    var queue = Queue(capacity: 10)
    var told = add([said("a"), said("b")], of: Self.own, to: &queue)
    #expect(told.isEmpty)
    told = add([said("c")], of: Self.own, to: &queue, hostRests: true)
    #expect(told.isEmpty)
    told = rest(of: &queue)
    #expect(told == ["a", "b", "c"])
  }

  @Test func tellsAnAnswerAheadOfWhatWaits() {
    var queue = Queue(capacity: 10)
    _ = add([said("own")], of: Self.own, to: &queue)
    var told = add([said("answer")], of: Self.answering, to: &queue)
    #expect(told == ["answer"])
    told = rest(of: &queue)
    #expect(told == ["own"])
  }

  @Test func tellsALoadingDocumentsEventsAtOnceAndItsErrorsByTheirPlace() {
    var queue = Queue(capacity: 10)
    let events = [said("a"), thrown(9), thrown(2), said("b"), thrown(5), thrown(4)]
    var told = add(events, of: Self.loading, to: &queue)
    #expect(told == ["a", "line 2", "line 9", "b"])
    told = queue.settleLoad()
    #expect(told == ["line 4", "line 5"])
  }

  @Test func takesErrorsOfTheFirstFrameAsPartOfTheLoadAndNothingElse() {
    var queue = Queue(capacity: 10)
    var told = add([thrown(3), said("a")], of: Self.drawing, to: &queue)
    #expect(told.isEmpty)
    told = queue.settleLoad()
    #expect(told == ["line 3"])
    told = rest(of: &queue)
    #expect(told == ["a"])
  }

  @Test func linesUpALoadingPageBehindItsOwnWaitingEvents() {
    var queue = Queue(capacity: 10)
    _ = add([said("a")], of: Self.own, to: &queue)
    var told = add([said("b")], of: Self.loading, to: &queue)
    #expect(told.isEmpty)
    told = queue.add(said("other", .browser), of: Self.loading, hostRests: false)
    #expect(told == ["other"])
    told = rest(of: &queue)
    #expect(told == ["a", "b"])
  }

  @Test func putsErrorsThatWaitNextToEachOtherInTheOrderOfTheirPlaces() {
    var queue = Queue(capacity: 10)
    _ = add([thrown(7), thrown(3), said("between"), thrown(1)], of: Self.own, to: &queue)
    var told = queue.next()
    #expect(told == ["line 3", "line 7"])
    told = rest(of: &queue)
    #expect(told == ["between", "line 1"])
  }

  @Test func tellsAllBehindADepartureFromADocumentThatIsNeverShown() {
    var queue = Queue(capacity: 10)
    _ = add([said("own")], of: Self.own, to: &queue)
    _ = add([thrown(1), event(.stopped, "stopped")], of: Self.loading, to: &queue)
    let told = add([event(.departure, "gone")], of: Self.unloaded, to: &queue)
    #expect(told == ["line 1", "own", "stopped", "gone"])
    #expect(queue.isEmpty)
  }

  @Test func keepsAStoppedNavigationUntilTheLoadIsOverAndThenPutsItFirst() {
    var queue = Queue(capacity: 10)
    var told = add([event(.stopped, "stopped"), said("own")], of: Self.drawing, to: &queue, hostRests: false)
    #expect(told.isEmpty)
    told = queue.settleLoad()
    #expect(told.isEmpty)
    told = rest(of: &queue)
    #expect(told == ["stopped", "own"])
  }

  @Test func keepsNoStoppedNavigationOfThePagesAroundTheAd() {
    var queue = Queue(capacity: 10)
    let told = add([event(.stopped, "stopped")], of: Self.browser, to: &queue)
    #expect(told == ["stopped"])
  }

  @Test func givesOutAllWhenItIsClosed() {
    var queue = Queue(capacity: 10)
    _ = add([thrown(1)], of: Self.loading, to: &queue)
    _ = add([said("own")], of: Self.own, to: &queue)
    let told = queue.close()
    #expect(told == ["line 1", "own"])
    #expect(queue.isEmpty)
  }

  @Test func keepsNoMoreThanItsCapacityAndItsBytes() {
    var queue = Queue(capacity: 2)
    _ = add([said("a"), said("b"), said("c")], of: Self.own, to: &queue)
    var told = rest(of: &queue)
    #expect(told == ["a", "b"])
    let heavy = PageEvent(page: .creative, kind: .other, weight: 20 << 20, content: "heavy")
    _ = add([heavy, heavy], of: Self.own, to: &queue)
    told = rest(of: &queue)
    #expect(told == ["heavy"])
  }

  @Test func actsAtOnceOnWhatIsToldWhileNothingHoldsItBack() {
    var queue = Queue(capacity: 10)
    let passed = queue.pass("a")
    #expect(passed == "a")
    #expect(queue.isOpen)
  }

  @Test func keepsWhatIsToldInOrderUntilTheLastHoldIsReleased() {
    var queue = Queue(capacity: 10)
    queue.hold()
    queue.hold()
    let passed = ["a", "b"].map { queue.pass($0) }
    #expect(passed == [nil, nil])
    queue.release()
    var next = queue.nextAction()
    #expect(next == nil)
    queue.release()
    next = queue.nextAction()
    #expect(next == "a")
    let newcomer = queue.pass("c")
    #expect(newcomer == nil)
    next = queue.nextAction()
    #expect(next == "b")
    queue.hold()
    next = queue.nextAction()
    #expect(next == nil)
    queue.release()
    next = queue.nextAction()
    #expect(next == "c")
    #expect(queue.isOpen)
  }

  @Test func dropsWhatAPageCallsBeyondAThousandTimes() {
    var queue = PageEventQueue<Int, Never>(capacity: 10)
    queue.hold()
    for number in 1...1_200 { _ = queue.pass(number) }
    queue.release()
    var acted: [Int] = []
    while let number = queue.nextAction() { acted.append(number) }
    #expect(acted == Array(1...1_000))
  }

  @Test func handsAPageOneThingAfterTheOther() {
    var queue = Queue(capacity: 10)
    let first = queue.hand("a", to: 1)
    #expect(first == "a")
    let later = ["b", "c"].map { queue.hand($0, to: 1) }
    #expect(later == [nil, nil])
    #expect(!queue.isIdle(1))
    let handed = [queue.handled(by: 1), queue.handled(by: 1), queue.handled(by: 1)]
    #expect(handed == ["b", "c", nil])
    #expect(queue.isIdle(1))
  }

  @Test func handsNothingLateBecauseOfAnotherPage() {
    var queue = Queue(capacity: 10)
    _ = queue.hand("a", to: 1)
    queue.hold()
    let other = queue.hand("b", to: 2)
    #expect(other == "b")
    let next = queue.handled(by: 2)
    #expect(next == nil)
    #expect(queue.isIdle(2))
    #expect(!queue.isIdle(1))
  }
}
