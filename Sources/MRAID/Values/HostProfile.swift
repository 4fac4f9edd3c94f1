/// What this host is and what it lets an ad do; fixed for an ad's life.
package struct HostProfile: Hashable, Sendable, Codable {
  package var placementType: PlacementType
  /// `window.MRAID_ENV`, exactly as the page sees it (version, sdk, sdkVersion required).
  package var environment: [String: JSONValue]
  /// Features that `supports()` answers true to: sms, tel, calendar, storePicture, inlineVideo, location, vpaid.
  package var supports: Set<String>
  /// Whether the (imagined) person confirms storePicture and createCalendarEvent; refusal is an `error`.
  package var confirms: Bool
  /// What `getLocation()` answers, nil for -1.
  package var location: JSONValue?
  /// 0–100, or nil when unknown.
  package var volume: Double?
  /// Where the host departs from the standard.
  package var behaviour: ContainerBehaviour
  /// The device's own pixels in a dip.
  package var scale: Double

  package init(
    placementType: PlacementType, environment: [String: JSONValue], supports: Set<String>, confirms: Bool = true,
    location: JSONValue? = nil, volume: Double? = 100, behaviour: ContainerBehaviour = .spec, scale: Double = 1
  ) {
    self.placementType = placementType
    self.environment = environment
    self.supports = supports
    self.confirms = confirms
    self.location = location
    self.volume = volume
    self.behaviour = behaviour
    self.scale = scale
  }
}
