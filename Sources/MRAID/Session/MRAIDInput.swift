package import Core

/// Which of a creative's two documents speaks or is spoken to.
package enum AdPart: String, Sendable, Codable, CaseIterable {
  /// The creative as it was loaded.
  case one
  /// The page that `expand(url)` loads.
  case two
}

/// Everything that can happen to a session: what the page asks, and what the host does.
package enum MRAIDInput: Sendable, Hashable {
  /// A bridge call; `gesture` says whether the person had just touched the ad.
  case command(MRAIDCommand, from: AdPart, gesture: Bool)
  /// The part's document and its subresources are loaded: time for `ready`.
  case loaded(AdPart)
  /// The transition asked for by `.present` stands on screen; geometry and exposure are what it led to.
  case presented(HostGeometry, Exposure, at: Double? = nil)
  /// The transition asked for by `.present` can't be shown.
  case presentationFailed(String)
  /// The person used the host's own close control.
  case hostClose
  /// Rotation, scroll or any other change of the screen that the ad didn't ask for.
  case geometryChanged(HostGeometry, Exposure, at: Double? = nil)
  /// Only what is visible changed; `at` in ms since the load began.
  case exposureChanged(Exposure, at: Double)
  /// The delay that `.scheduleExposure` asked for is over.
  case exposureDue(at: Double)
  /// 0–100, 0 when playback isn't allowed, nil when unknown.
  case volumeChanged(Double?)
}

/// A bridge call that the host hears of, in the page's order; getters are answered in the page.
package enum MRAIDCommand: Hashable, Sendable {
  case expand(url: String?)
  case resize
  case close
  case unload
  case open(url: String)
  case useCustomClose(Bool)
  case setExpandProperties(JSONValue)
  case setResizeProperties(JSONValue)
  case setOrientationProperties(JSONValue)
  case playVideo(uri: String)
  case storePicture(uri: String)
  case createCalendarEvent(JSONValue)
  /// The creative handed over a VPAID object.
  case initVpaid
  /// A listener for this event was added: exposureChange and audioVolumeChange answer with the current value.
  case addEventListener(String)
  /// The page called something wrongly; the host answers with `error(message, action)`.
  case misuse(action: String, message: String)
}

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
  /// Above the app, not modal, moving nothing; without a position it has no close control of the host's.
  case resized(frame: Rect, closePosition: ClosePosition?)
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
