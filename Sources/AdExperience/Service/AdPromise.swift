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
