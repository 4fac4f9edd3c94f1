/// Fetches transactions, keeps those at hand in order, and says which is current.
package final class TransactionManager {
  /// Who asked, told of every fetch.
  package weak var delegate: (any TransactionManagerDelegate)?
  private let loader: any TransactionLoader
  private var transactions: [Transaction] = []

  /// A manager with nothing at hand.
  package init(loader: any TransactionLoader) {
    self.loader = loader
  }

  /// What should be displayed right now.
  package var currentTransaction: Transaction? { transactions.first }

  /// Starts getting a transaction; the delegate hears how it ended.
  package func fetchTransaction(_ configuration: AdConfiguration) {
    loader.load(configuration) { [weak self] result in
      guard let self else { return }
      let result = result.flatMap(Self.usable)
      if case .success(let transaction) = result { transactions.append(transaction) }
      delegate?.onFetchingCompleted(result)
    }
  }

  /// Lets go of the current transaction and returns the next one, if any.
  @discardableResult package func dismissCurrentTransaction() -> Transaction? {
    if !transactions.isEmpty { transactions.removeFirst() }
    return currentTransaction
  }

  /// The transaction, if it has something to show.
  private static func usable(_ transaction: Transaction) -> Result<Transaction, AdError> {
    guard let first = transaction.creatives.first else { return .failure(AdError("the ad has no creative")) }
    return first.isGone ? .failure(.unloadedWhileLoading) : .success(transaction)
  }
}

/// Hears how fetching ended.
package protocol TransactionManagerDelegate: AnyObject {
  /// Once per fetch; a transaction that came is already at hand.
  func onFetchingCompleted(_ result: Result<Transaction, AdError>)
}

/// Where transactions come from: here the creative under test, elsewhere an ad server.
package protocol TransactionLoader: AnyObject {
  /// Makes the creatives and loads the first; calls `completion` once.
  func load(_ configuration: AdConfiguration, completion: @escaping (Result<Transaction, AdError>) -> Void)
}

/// The way from a request to an ad that can be shown: fetch, decode, build, and one place where all its errors arrive.
package struct TransactionChain {
  private let fetch: () -> Promise<AdResponse>
  private let build: (DecodedAd) -> Promise<[any Creative]>

  /// `fetch` gets the response, `build` makes its creatives and loads the first.
  package init(
    fetch: @escaping () -> Promise<AdResponse>, build: @escaping (DecodedAd) -> Promise<[any Creative]>
  ) {
    self.fetch = fetch
    self.build = build
  }

  /// The transaction; its error is always an `AdError`.
  package func run(_ configuration: AdConfiguration) -> Promise<Transaction> {
    fetch()
      .then { try AdDecoder.decode($0) }
      .then { build($0) }
      .then { (creatives: [any Creative]) throws in
        guard !creatives.isEmpty else { throw AdError("the ad has no creative", code: "ad-missing") }
        return Transaction(creatives: creatives, configuration: configuration)
      }
      .catch { (error: any Error) throws -> Transaction in throw AdError(error) }
  }
}
