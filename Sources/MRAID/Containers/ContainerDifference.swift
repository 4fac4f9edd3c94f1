/// One way in which a container isn't as MRAID 3.0 has it, and how that is known.
package struct ContainerDifference: Hashable, Sendable, Codable {
  /// What is different; the names are those of the data files.
  package enum What: String, Hashable, Sendable, Codable, CaseIterable {
    case version, sdk, environment, placement, supports, missingMethods, refusedMethods, inertMethods, silentEvents
    case eventOrder, answersListeners, sizeChangeUnit, tellsStateBeforeReady, locksOrientation
    case resizeNeedsAllowOffscreen, resizeBoundsOffscreen, resizeChecksRegionEarly, resizeChecksRegionOffscreen
    case resizePlacesCloseRegion
    case closeDelay, openNeedsGesture, readsViewport, errorsInCall
    case listenerOrder, skipsRemovedListeners, stopsAtException, removesAllListeners
  }

  package var what: What
  package var value: JSONValue
  /// The difference in words.
  package var note: String
  /// Where it says so: an address.
  package var source: String
  /// The day of what the source says, `2026-08-19`.
  package var date: String

  package init(what: What, value: JSONValue, note: String, source: String, date: String) {
    (self.what, self.value, self.note, self.source, self.date) = (what, value, note, source, date)
  }
}
