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
