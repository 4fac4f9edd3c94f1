/// Fetches transactions, keeps those at hand in order, and says which is current.
package final class TransactionManager {
  package weak var delegate: (any TransactionManagerDelegate)?
  private let loader: any TransactionLoader
  private var transactions: [Transaction] = []

  package init(loader: any TransactionLoader) {
    self.loader = loader
  }

  /// What should be displayed right now.
  package var currentTransaction: Transaction? { transactions.first }

  /// Starts getting a transaction; the delegate hears how it ended.
  package func fetchTransaction(_ configuration: AdConfiguration) {
    loader.load(configuration) { [weak self] result in
      guard let self else { return }
      if case .success(let transaction) = result { transactions.append(transaction) }
      delegate?.onFetchingCompleted(result)
    }
  }

  /// Lets go of the current transaction and returns the next one, if any.
  @discardableResult package func dismissCurrentTransaction() -> Transaction? {
    if !transactions.isEmpty { transactions.removeFirst() }
    return transactions.first
  }
}

/// Hears how fetching ended.
package protocol TransactionManagerDelegate: AnyObject {
  func onFetchingCompleted(_ result: Result<Transaction, AdError>)
}
