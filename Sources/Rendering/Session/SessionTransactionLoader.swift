internal import AdExperience
internal import WebKitRuntime

/// Makes the transaction of a render: of the creative under test, by the chain that every ad goes.
@WebKitActor final class SessionTransactionLoader {
  weak var session: RenderSession?
}

extension SessionTransactionLoader: @WebKitActor TransactionLoader {
  func load(
    _ configuration: AdConfiguration, completion: @escaping (Result<Transaction, AdError>) -> Void
  ) {
    session?.chain.run(configuration).observe { [weak session] result in
      guard session?.isOver == false else { return }
      completion(result.mapError { AdError($0) })
    }
  }
}
