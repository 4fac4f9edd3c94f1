/// How the host shows the ad; never changes during an ad's life.
package enum PlacementType: String, Sendable, Codable, CaseIterable {
  case inline, interstitial
}
