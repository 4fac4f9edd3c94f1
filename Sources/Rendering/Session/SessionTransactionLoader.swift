internal import AdExperience
internal import WebKitRuntime

/// Makes the transaction of a render: the creative under test and nothing else.
@WebKitActor final class SessionTransactionLoader {
  weak var session: RenderSession?
}

extension SessionTransactionLoader: @WebKitActor TransactionLoader {
  func load(
    _ configuration: AdConfiguration, completion: @escaping (Result<Transaction, AdError>) -> Void
  ) {
    session?.loadCreative { result in
      completion(result.map { Transaction(creatives: [$0], configuration: configuration) })
    }
  }
}
