extension AdViewManager: TransactionManagerDelegate {
  /// Makes the ad's first creative current, unless another ad is.
  package func onFetchingCompleted(_ result: Result<Transaction, AdError>) {
    switch result {
    case .success(let transaction):
      if currentCreative == nil { adoptCurrentTransaction() }
      delegate?.adLoaded(transaction.details)
    case .failure(let error):
      delegate?.failedToLoad(error)
    }
  }

  /// Makes the next ad's first creative current; ads that took themselves away while they waited are left out.
  func adoptCurrentTransaction() {
    isComplete = false
    var first = transactionManager.currentTransaction?.creatives.first
    while let gone = first, gone.isGone { first = transactionManager.dismissCurrentTransaction()?.creatives.first }
    adopt(first)
  }
}
