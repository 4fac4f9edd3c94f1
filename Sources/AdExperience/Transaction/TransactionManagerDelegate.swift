/// Hears how fetching ended.
package protocol TransactionManagerDelegate: AnyObject {
  /// Once per fetch; a transaction that came is already at hand.
  func onFetchingCompleted(_ result: Result<Transaction, AdError>)
}
