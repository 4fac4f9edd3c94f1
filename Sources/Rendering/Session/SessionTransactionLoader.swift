internal import AdExperience
internal import VAST
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
      let result = result.mapError { AdError($0) }
      // A response that can't be read names nobody who could be told; the log is.
      if case .failure(let error) = result, let code = error.untold {
        session?.trackProblem(VASTProblem(code, error.description))
      }
      completion(result)
    }
  }
}
