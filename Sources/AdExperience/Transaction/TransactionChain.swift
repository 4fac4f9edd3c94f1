/// The way from a request to an ad that can be shown: fetch, decode, build, and one place where all its errors arrive.
package struct TransactionChain {
  private let fetch: () -> Promise<AdResponse>
  private let build: (DecodedAd) -> Promise<[any Creative]>

  /// `fetch` gets the response, `build` makes its creatives and loads the first.
  package init(
    fetch: @escaping () -> Promise<AdResponse>, build: @escaping (DecodedAd) -> Promise<[any Creative]>
  ) {
    self.fetch = fetch
    self.build = build
  }

  /// The transaction; its error is always an `AdError`.
  package func run(_ configuration: AdConfiguration) -> Promise<Transaction> {
    fetch()
      .then { try AdDecoder.decode($0) }
      .then { build($0) }
      .then { (creatives: [any Creative]) throws in
        guard !creatives.isEmpty else { throw AdError("the ad has no creative", code: "no-ad") }
        return Transaction(creatives: creatives, configuration: configuration)
      }
      .catch { (error: any Error) throws -> Transaction in throw AdError(error) }
  }
}
