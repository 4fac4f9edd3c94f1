/// What the host has to do after an input, in order.
package enum MRAIDEffect: Sendable, Hashable {
  /// Bring properties up to date in the part's page, then dispatch the events, in one go.
  case deliver(BridgeUpdate, to: AdPart)
  /// Show the ad so, then answer `.presented`; until then further commands wait in the session.
  case present(Presentation)
  /// `open(url)`: a clickthrough.
  case open(String, gesture: Bool)
  /// `playVideo(uri)` in the host's full-screen player.
  case playVideo(String)
  /// `storePicture(uri)`, confirmed or refused as the profile says.
  case storePicture(String, confirmed: Bool)
  /// `createCalendarEvent(event)`, confirmed or refused as the profile says.
  case createCalendarEvent(JSONValue, confirmed: Bool)
  /// The ad's wishes about turning; only expanded and interstitial ads are heard.
  case orientation(OrientationProperties)
  /// `useCustomClose(bool)` or expand properties' `useCustomClose`.
  case customClose(Bool)
  /// `unload()`: take the ad away for good.
  case unload
  /// `init` once `initVpaid` handed the VPAID object over; the bridge itself calls startAd when the ad is viewable.
  case vpaid(String)
  /// Send `.exposureDue` after this many ms: exposure changes at most every 200 ms.
  case scheduleExposure(after: Double)
  /// A call without effect by the standard, with why; recorded, never an `error`.
  case ignored(MRAIDCommand, reason: String)
  /// Properties set before `ready`: a defect of the creative, but they are kept.
  case premature(MRAIDCommand)
}

/// How the host shows the ad; frames are dip from the content area's top-left.
package enum Presentation: Sendable, Hashable {
  /// In its slot, or for an interstitial full screen.
  case `default`
  /// Modal and topmost over the whole content area; a URL loads into a second view.
  case expanded(url: String?)
  /// Above the app, not modal, moving nothing.
  case resized(frame: Rect, closePosition: ClosePosition)
  /// Off the screen.
  case hidden
}

/// Properties to bring up to date in the page, then events to dispatch.
package struct BridgeUpdate: Sendable, Hashable, Codable {
  /// Every getter's value that changed, by the bridge's property names.
  package var properties: [String: JSONValue]
  package var events: [MRAIDEvent]

  package init(properties: [String: JSONValue] = [:], events: [MRAIDEvent] = []) {
    self.properties = properties
    self.events = events
  }
}

/// One event as the page's listeners get it.
package struct MRAIDEvent: Sendable, Hashable, Codable {
  package var name: String
  package var arguments: [JSONValue]

  package init(_ name: String, _ arguments: [JSONValue] = []) {
    self.name = name
    self.arguments = arguments
  }
}
