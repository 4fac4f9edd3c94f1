import AdExperience
import MRAID
import Testing

/// Fetching, what is at hand, and which is current.
@Suite struct TransactionManagerTests {
  let journal = Journal()
  let loader = FakeLoader()
  let manager: TransactionManager
  let asker = FakeAsker()
  let configuration = AdConfiguration(kind: .banner, size: Size(width: 320, height: 50))

  init() {
    manager = TransactionManager(loader: loader)
    manager.delegate = asker
  }

  @Test func nothingIsCurrentBeforeAFetch() {
    let next = manager.dismissCurrentTransaction()
    #expect(next == nil)
    #expect(manager.currentTransaction == nil)
  }

  @Test func fetchedTransactionIsCurrentWhenTheDelegateHears() {
    supply("a")
    asker.onCompleted = { [manager, journal] in journal.note(names(manager.currentTransaction)) }
    manager.fetchTransaction(configuration)
    #expect(journal.lines == ["a"])
  }

  @Test func fetchWaitsForTheLoader() {
    supply("a")
    loader.isSlow = true
    manager.fetchTransaction(configuration)
    #expect(asker.results.isEmpty)
    #expect(manager.currentTransaction == nil)
    loader.finish()
    #expect(asker.results.count == 1)
  }

  @Test func failureReachesTheDelegateAndLeavesTheCurrentOneAlone() {
    supply("a")
    manager.fetchTransaction(configuration)
    manager.fetchTransaction(configuration)
    #expect(asker.errors == [AdError("no fill")])
    #expect(names(manager.currentTransaction) == "a")
  }

  @Test func dismissingReturnsTheNextInOrder() {
    for name in ["a", "b", "c"] {
      supply(name)
      manager.fetchTransaction(configuration)
    }
    #expect(names(manager.currentTransaction) == "a")
    for next in ["b", "c", ""] {
      let returned = manager.dismissCurrentTransaction()
      #expect(names(returned) == next)
      #expect(names(manager.currentTransaction) == next)
    }
  }

  @Test func transactionWithoutCreativesIsAFailure() {
    loader.supply = [[]]
    manager.fetchTransaction(configuration)
    #expect(asker.errors == [AdError("the ad has no creative")])
    #expect(manager.currentTransaction == nil)
  }

  @Test func creativeThatIsGoneAlreadyIsAFailure() {
    supply("a").isGone = true
    manager.fetchTransaction(configuration)
    #expect(asker.errors == [.unloadedWhileLoading])
    #expect(manager.currentTransaction == nil)
  }

  @Test func lateLoadOfAManagerThatIsGoneDoesNothing() {
    supply("a")
    loader.isSlow = true
    var manager: TransactionManager? = TransactionManager(loader: loader)
    manager?.delegate = asker
    manager?.fetchTransaction(configuration)
    manager = nil
    loader.finish()
    #expect(asker.results.isEmpty)
  }

  @discardableResult private func supply(_ name: String) -> FakeCreative {
    let creative = FakeCreative(name, journal: journal)
    loader.supply.append([creative])
    return creative
  }
}

private func names(_ transaction: Transaction?) -> String {
  transaction?.creatives.map(\.displayView.rawValue).joined() ?? ""
}
