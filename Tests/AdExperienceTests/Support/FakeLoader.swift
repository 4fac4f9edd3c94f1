import AdExperience

/// Hands out what it was given, at once or when told to; fails once it has nothing left.
final class FakeLoader: TransactionLoader {
  /// Creatives of the transactions to come.
  var supply: [[any Creative]] = []
  /// Whether loads wait for `finish`.
  var isSlow = false
  /// Everything handed out stays with the test.
  private(set) var transactions: [Transaction] = []
  private var waiting: [() -> Void] = []

  func load(_ configuration: AdConfiguration, completion: @escaping (Result<Transaction, AdError>) -> Void) {
    let finish = { [self] in
      guard !supply.isEmpty else { return completion(.failure(AdError("no fill"))) }
      let transaction = Transaction(creatives: supply.removeFirst(), configuration: configuration)
      transactions.append(transaction)
      completion(.success(transaction))
    }
    if isSlow { waiting.append(finish) } else { finish() }
  }

  /// Ends the oldest load.
  func finish() { waiting.removeFirst()() }
}
