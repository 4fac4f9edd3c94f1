/// Fetches transactions, keeps the loaded ones in order, and provides the current one.
package final class TransactionManager {
  /// Delegate that gets the result of every fetch.
  package weak var delegate: (any TransactionManagerDelegate)?
  private let loader: any TransactionLoader
  private var transactions: [Transaction] = []

  /// Creates a manager without transactions.
  package init(loader: any TransactionLoader) {
    self.loader = loader
  }

  /// Transaction to display now; nil if there is none.
  package var currentTransaction: Transaction? { transactions.first }

  /// Fetches a transaction; the delegate gets the result.
  package func fetchTransaction(_ configuration: AdConfiguration) {
    loader.load(configuration) { [weak self] result in
      guard let self else { return }
      let result = result.flatMap(Self.usable)
      if case .success(let transaction) = result { transactions.append(transaction) }
      delegate?.onFetchingCompleted(result)
    }
  }

  /// Removes the current transaction and returns the next one, if any.
  @discardableResult package func dismissCurrentTransaction() -> Transaction? {
    if !transactions.isEmpty { transactions.removeFirst() }
    return currentTransaction
  }

  /// Returns the transaction if it has a creative to show, otherwise the error.
  private static func usable(_ transaction: Transaction) -> Result<Transaction, AdError> {
    guard let first = transaction.creatives.first else { return .failure(AdError("the ad has no creative")) }
    return first.isGone ? .failure(.unloadedWhileLoading) : .success(transaction)
  }
}

/// Delegate that gets the results of fetches.
package protocol TransactionManagerDelegate: AnyObject {
  /// Reports a result, once per fetch; a loaded transaction has been added to the manager already.
  func onFetchingCompleted(_ result: Result<Transaction, AdError>)
}

/// Source of transactions: here the creative under test, elsewhere an ad server.
package protocol TransactionLoader: AnyObject {
  /// Creates the creatives and loads the first; calls `completion` once.
  func load(_ configuration: AdConfiguration, completion: @escaping (Result<Transaction, AdError>) -> Void)
}

/// Chain from a response to an ad that can be shown: decode and build, with a single place for all errors.
package enum TransactionChain {
  /// Decodes the response and has its creatives built; the error of the returned promise is always an `AdError`.
  ///
  /// - Parameter build: creates the creatives of an ad and loads the first.
  package static func run(
    _ response: AdResponse, _ configuration: AdConfiguration,
    build: @escaping (DecodedAd) -> Promise<[any Creative]>
  ) -> Promise<Transaction> {
    let decoded: DecodedAd
    do { decoded = try AdDecoder.decode(response) } catch { return Promise(error: AdError(error)) }
    return build(decoded)
      .then { (creatives: [any Creative]) throws in
        guard !creatives.isEmpty else { throw AdError("the ad has no creative", code: "ad-missing") }
        return Transaction(creatives: creatives, configuration: configuration)
      }
      .catch { (error: any Error) throws -> Transaction in throw AdError(error) }
  }
}
