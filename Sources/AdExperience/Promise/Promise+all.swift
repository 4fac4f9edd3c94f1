extension Promise {
  /// The values of all, in the order of the promises; the first that is broken breaks it, and the others are given up.
  package static func all<Element>(_ promises: [Promise<Element>]) -> Promise where Value == [Element] {
    guard !promises.isEmpty else { return Promise(value: []) }
    let (whole, resolver) = pending()
    var waiting = promises.count
    for promise in promises { promise.addDependant() }
    let giveUp = { for promise in promises where promise.isPending { promise.releaseDependant() } }
    whole.onStop(giveUp)
    for promise in promises {
      promise.listen { result in
        waiting -= 1
        if case .failure(let error) = result, resolver.reject(error), !(error is PromiseCancelled) { giveUp() }
        if waiting == 0, whole.isPending { resolver.settle(gathered(promises)) }
      }
    }
    return whole
  }

  private static func gathered<Element>(_ promises: [Promise<Element>]) -> Result<[Element], any Error> {
    Result { try promises.compactMap { try $0.result?.get() } }
  }
}
