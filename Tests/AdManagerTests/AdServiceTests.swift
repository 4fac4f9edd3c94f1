import AdManager
import Testing

/// Timer for services with a single attempt.
private final class NoTimer: AdTimer {
  func schedule(after milliseconds: Double, _ action: @escaping () -> Void) {}
}

@Suite struct AdServiceTests {
  private let unit = AdUnit(identifier: "first", index: 0)

  /// Service whose ads arrive when the test calls for them.
  private final class Source {
    private(set) var asked: [AdUnit] = []
    private(set) var resolvers: [Promise<AdViewManager>.Resolver] = []
    private(set) lazy var service = AdService(
      sender: RequestSender(behaviour: CombinedBehaviour([]), timer: NoTimer())
    ) { [unowned self] unit, _ in
      asked.append(unit)
      let (promise, resolver) = Promise<AdViewManager>.pending()
      resolvers.append(resolver)
      return promise
    }
  }

  @Test func `an ad is there at once and loads when it is first wanted`() {
    let source = Source()
    let promise = source.service.obtainAd(unit)
    promise.error { _ in }
    #expect(source.asked.isEmpty)
    promise.show { _ in }
    promise.show { _ in }
    #expect(source.asked == [unit])
  }

  @Test func `scrolling back shows the same ad at once`() throws {
    let source = Source()
    var shown: [AdViewManager] = []
    source.service.obtainAd(unit).show { shown.append($0) }
    let ad = ManagerRig(.banner).manager
    source.resolvers[0].resolve(ad)
    #expect(shown.count == 1)
    source.service.obtainAd(unit).show { shown.append($0) }
    #expect(shown.count == 2 && shown.allSatisfy { $0 === ad })
    #expect(source.asked.count == 1)
    #expect(source.service.obtainAd(unit).ad === ad)
  }

  @Test func `places have ads of their own`() {
    let source = Source()
    source.service.obtainAd(unit).show { _ in }
    source.service.obtainAd(AdUnit(identifier: "more", index: 1)).show { _ in }
    #expect(source.asked.map(\.description) == ["first/1", "more/2"])
  }

  @Test func `a failure reaches who asked before and who asks after`() {
    let source = Source()
    var errors = 0
    source.service.obtainAd(unit).show { _ in Issue.record("shown") }.error { _ in errors += 1 }
    source.resolvers[0].reject(AdError("no fill"))
    source.service.obtainAd(unit).error { _ in errors += 1 }
    #expect(errors == 2)
  }

  @Test func `the next ad takes the place when it is kept, not before`() {
    let source = Source()
    let first = source.service.obtainAd(unit)
    let next = source.service.nextAd(unit)
    next.show { _ in }
    #expect(source.service.obtainAd(unit) === first)
    source.service.keep(next)
    #expect(source.service.obtainAd(unit) === next)
  }

  @Test func `forgetting all gives up what loads`() {
    let source = Source()
    var isStopped = false
    var errors: [String] = []
    source.service.obtainAd(unit).show { _ in }.error { errors.append("\($0)") }
    source.resolvers[0].onCancel { isStopped = true }
    source.service.clear()
    #expect(isStopped && errors == ["cancelled"])
    source.service.obtainAd(unit).show { _ in }
    #expect(source.asked.count == 2)
  }
}
