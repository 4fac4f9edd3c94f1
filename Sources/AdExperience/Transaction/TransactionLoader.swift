/// Where transactions come from: here the creative under test, elsewhere an ad server.
package protocol TransactionLoader: AnyObject {
  /// Makes the creatives and loads the first; calls `completion` once.
  func load(_ configuration: AdConfiguration, completion: @escaping (Result<Transaction, AdError>) -> Void)
}
