/// Hands out ads as promises, always the same one for a place, and loads them through the request sender.
package final class AdService {
  private let sender: RequestSender
  private let load: (AdUnit, AdRequest) -> Promise<AdViewManager>
  private var promises: [AdUnit: AdPromise] = [:]

  /// Creates a service that loads its ads with `load`, through `sender`.
  package init(sender: RequestSender, load: @escaping (AdUnit, AdRequest) -> Promise<AdViewManager>) {
    self.sender = sender
    self.load = load
  }

  /// Returns the ad of the place: the one handed out before, if there is one, loaded or not.
  package func obtainAd(_ unit: AdUnit) -> AdPromise {
    if let promise = promises[unit] { return promise }
    let promise = nextAd(unit)
    promises[unit] = promise
    return promise
  }

  /// Returns another ad for the place, as for a rotation; the earlier one stays the place's ad until `keep` is called.
  package func nextAd(_ unit: AdUnit) -> AdPromise {
    AdPromise(unit: unit) { [sender, load] in
      sender.send(AdRequest(url: unit.description)) { load(unit, $0) }
    }
  }

  /// Makes this ad the current one of its place.
  package func keep(_ promise: AdPromise) { promises[promise.unit] = promise }

  /// Forgets every ad, as when the app restarts, and cancels the ads that are loading.
  package func clear() {
    for promise in promises.values { promise.cancel() }
    promises = [:]
  }
}

/// Promise of an ad: it begins to load at the first call of `show`, and succeeds or fails later.
///
/// Once the ad is loaded, further calls of `show` get the same ad before they return, so scrolling back costs nothing.
package final class AdPromise {
  /// Place that the ad is requested for.
  package let unit: AdUnit
  private let load: () -> Promise<AdViewManager>
  private let promise: Promise<AdViewManager>
  private let resolver: Promise<AdViewManager>.Resolver
  private var hasBegun = false

  /// Creates a promise that calls `load` once, when the ad is first wanted.
  package init(unit: AdUnit, load: @escaping () -> Promise<AdViewManager>) {
    self.unit = unit
    self.load = load
    (promise, resolver) = Promise.pending()
  }

  /// Calls `block` with the loaded ad, at once if it is loaded already; starts the load if it hasn't begun.
  @discardableResult package func show(_ block: @escaping (AdViewManager) -> Void) -> AdPromise {
    promise.observe { if case .success(let ad) = $0 { block(ad) } }
    begin()
    return self
  }

  /// Calls `block` with the error if loading fails; doesn't start the load.
  @discardableResult package func error(_ block: @escaping (any Error) -> Void) -> AdPromise {
    promise.observe { if case .failure(let error) = $0 { block(error) } }
    return self
  }

  /// Cancels the ad while it loads; its observers get `PromiseCancelled`.
  package func cancel() { promise.cancel() }

  /// The loaded ad; nil until loading has succeeded.
  package var ad: AdViewManager? { try? promise.result?.get() }

  private func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    guard promise.isPending else { return }
    let loading = load()
    resolver.onCancel { loading.cancel() }
    loading.observe { [resolver] in resolver.settle($0) }
  }
}

/// Ad request of a place in a feed.
package struct AdUnit: Hashable, Sendable, CustomStringConvertible {
  /// Advertisement identifier of the place; each kind of place has its own.
  package var identifier: String
  /// Number of the ad in its feed, from 0.
  package var index: Int

  /// Creates the request for a place's ad.
  package init(identifier: String, index: Int) {
    self.identifier = identifier
    self.index = index
  }

  /// Name of the request, with the ad's number counted from 1.
  package var description: String { "\(identifier)/\(index + 1)" }
}
