import AdExperience

/// Ends the load when the page is there or has unloaded itself, whichever is first.
final class PageLoader: TransactionLoader {
  private let creative: HTMLCreative
  private var completion: ((AdError?) -> Void)?

  init(creative: HTMLCreative, host: FakeHost) {
    self.creative = creative
    host.onLoadFailure = { [weak self] in self?.finish($0) }
  }

  func load(_ configuration: AdConfiguration, completion: @escaping (Result<Transaction, AdError>) -> Void) {
    self.completion = { [creative] error in
      let transaction = Transaction(creatives: [creative], configuration: configuration)
      completion(error.map { .failure($0) } ?? .success(transaction))
    }
  }

  /// Only the first end counts.
  func finish(_ error: AdError?) {
    let completion = completion
    self.completion = nil
    completion?(error)
  }
}
