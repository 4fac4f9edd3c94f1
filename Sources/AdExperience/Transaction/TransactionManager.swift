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
