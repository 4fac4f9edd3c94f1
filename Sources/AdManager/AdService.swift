/// Hands out ads as promises, the same for the same place, and loads them with what accompanies requests.
package final class AdService {
  private let sender: RequestSender
  private let load: (AdUnit, AdRequest) -> Promise<AdViewManager>
  private var promises: [AdUnit: AdPromise] = [:]

  /// A service whose ads come from `load`, sent by `sender`.
  package init(sender: RequestSender, load: @escaping (AdUnit, AdRequest) -> Promise<AdViewManager>) {
    self.sender = sender
    self.load = load
  }

  /// The place's ad: the one handed out before, if any, loaded or not.
  package func obtainAd(_ unit: AdUnit) -> AdPromise {
    if let promise = promises[unit] { return promise }
    let promise = nextAd(unit)
    promises[unit] = promise
    return promise
  }

  /// Another ad for the place, as for a rotation; the one handed out before stays the place's until `keep` is called.
  package func nextAd(_ unit: AdUnit) -> AdPromise {
    AdPromise(unit: unit) { [sender, load] in
      sender.send(AdRequest(url: unit.description)) { load(unit, $0) }
    }
  }

  /// From now on this is the ad of its place.
  package func keep(_ promise: AdPromise) { promises[promise.unit] = promise }

  /// Forgets every ad, as when the app starts anew, and gives up those that load.
  package func clear() {
    for promise in promises.values { promise.cancel() }
    promises = [:]
  }
}

/// An ad that is handed out at once: it loads when somebody first wants to show it, and shows or fails later.
///
/// Whoever comes after it was loaded is shown the same ad inside `show`, so scrolling back costs nothing.
package final class AdPromise {
  /// What was asked for.
  package let unit: AdUnit
  private let load: () -> Promise<AdViewManager>
  private let promise: Promise<AdViewManager>
  private let resolver: Promise<AdViewManager>.Resolver
  private var hasBegun = false

  /// A promise that calls `load` once, when it is first wanted.
  package init(unit: AdUnit, load: @escaping () -> Promise<AdViewManager>) {
    self.unit = unit
    self.load = load
    (promise, resolver) = Promise.pending()
  }

  /// Calls `block` with the loaded ad, at once when it is; begins to load it when nobody did.
  @discardableResult package func show(_ block: @escaping (AdViewManager) -> Void) -> AdPromise {
    promise.observe { if case .success(let ad) = $0 { block(ad) } }
    begin()
    return self
  }

  /// Calls `block` with the reason if there is no ad; doesn't begin to load.
  @discardableResult package func error(_ block: @escaping (any Error) -> Void) -> AdPromise {
    promise.observe { if case .failure(let error) = $0 { block(error) } }
    return self
  }

  /// Gives the ad up while it loads; who waits for it hears `PromiseCancelled`.
  package func cancel() { promise.cancel() }

  /// The ad, once it is there.
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

/// Which ad a place in a feed asks for.
package struct AdUnit: Hashable, Sendable, CustomStringConvertible {
  /// The advertisement identifier the place was given; two kinds of places have two.
  package var identifier: String
  /// From 0: the how-manieth ad of its feed it is.
  package var index: Int

  /// An ad for a place.
  package init(identifier: String, index: Int) {
    self.identifier = identifier
    self.index = index
  }

  /// Also what its request is called.
  package var description: String { "\(identifier)/\(index + 1)" }
}
