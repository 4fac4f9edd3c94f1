/// An ad as it came: its creatives in the order they are shown.
package final class Transaction {
  package let creatives: [any Creative]
  package let configuration: AdConfiguration

  package init(creatives: [any Creative], configuration: AdConfiguration) {
    self.creatives = creatives
    self.configuration = configuration
  }

  package var details: AdDetails { AdDetails(size: configuration.size, creativeCount: creatives.count) }
}

/// Where transactions come from: here the creative under test, elsewhere an ad server.
package protocol TransactionLoader: AnyObject {
  /// Makes the creatives and loads the first; calls `completion` once.
  func load(_ configuration: AdConfiguration, completion: @escaping (Result<Transaction, AdError>) -> Void)
}
