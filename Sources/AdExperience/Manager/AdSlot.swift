/// Where a banner is shown.
package protocol AdSlot: AnyObject {
  /// Puts the view into the slot.
  func show(_ view: AdViewID)
  /// Empties the slot.
  func clear()
  /// The slot is empty because its ad took itself away: time to load another.
  func requestAd()
}

extension AdSlot {
  /// A slot that is there for one ad stays empty.
  package func requestAd() {}
}
