import AdExperience

/// Collects what a transaction manager tells.
final class FakeAsker: TransactionManagerDelegate {
  private(set) var results: [Result<Transaction, AdError>] = []
  var onCompleted: (() -> Void)?

  var errors: [AdError] { results.compactMap { if case .failure(let error) = $0 { error } else { nil } } }

  func onFetchingCompleted(_ result: Result<Transaction, AdError>) {
    results.append(result)
    onCompleted?()
  }
}
