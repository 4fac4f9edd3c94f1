package import Core

/// One of a creative's two documents.
package enum AdPart: String, Sendable, Codable, CaseIterable {
  /// The document that was loaded as the creative.
  case one
  /// The page that `expand(url)` loads.
  case two
}

/// Input of a session: calls of the page, and actions of the host.
package enum MRAIDInput: Sendable, Hashable {
  /// A bridge call; `gesture` indicates if the user had just touched the ad.
  case command(MRAIDCommand, from: AdPart, gesture: Bool)
  /// A playable called its network.
  case called(PlayableCall)
  /// The part's document and its subresources have loaded, so that `ready` may follow.
  case loaded(AdPart)
  /// The transition requested by `.present` is on screen; geometry and exposure are the result.
  case presented(HostGeometry, Exposure, at: Double? = nil)
  /// The transition requested by `.present` can't be shown, for this reason.
  case presentationFailed(String)
  /// The user used the host's own close control.
  case hostClose
  /// The screen changed by rotation, scrolling or otherwise, without a request of the ad; `at` in ms since the load
  /// began.
  case geometryChanged(HostGeometry, Exposure, at: Double? = nil)
  /// Only the exposure changed; the time is in ms since the load began.
  case exposureChanged(Exposure, at: Double)
  /// The delay of `.scheduleExposure` is over.
  case exposureDue(at: Double)
  /// The volume changed: 0–100, 0 if playback isn't allowed, nil if unknown.
  case volumeChanged(Double?)
}

/// Bridge call that is passed to the host, in the page's order; getters are answered in the page.
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
  /// The creative passed a VPAID object.
  case initVpaid
  /// A listener for this event was added; for exposureChange and audioVolumeChange the current value is sent.
  case addEventListener(String)
  /// The page called a method incorrectly; the host answers with `error(message, action)`.
  case misuse(action: String, message: String)
}

/// Action that the host must perform after an input, in order.
package enum MRAIDEffect: Sendable, Hashable {
  /// Update properties in the part's page, then dispatch the events, in a single step.
  case deliver(BridgeUpdate, to: AdPart)
  /// Show the ad like this, then answer `.presented`; until then further commands wait in the session.
  case present(Presentation)
  /// Open a URL, as a clickthrough (`open(url)`).
  case open(String, gesture: Bool)
  /// Open the store's page of the app, as a playable asked its network.
  case openStore
  /// Play a video in the host's full-screen player (`playVideo(uri)`).
  case playVideo(String)
  /// Store an image (`storePicture(uri)`); the profile decides if the user confirms.
  case storePicture(String, confirmed: Bool)
  /// Create a calendar event (`createCalendarEvent(event)`); the profile decides if the user confirms.
  case createCalendarEvent(JSONValue, confirmed: Bool)
  /// Apply the ad's orientation properties, which only count for expanded and interstitial ads.
  case orientation(OrientationProperties)
  /// Note the ad's choice of its own close control: `useCustomClose(bool)`, or the expand property `useCustomClose`.
  case customClose(Bool)
  /// Remove the ad for good (`unload()`).
  case unload
  /// Record `init` after `initVpaid` has passed the VPAID object; the bridge itself calls startAd once the ad is
  /// viewable.
  case vpaid(String)
  /// Send `.exposureDue` after this many ms, as exposure changes at most every 200 ms.
  case scheduleExposure(after: Double)
  /// Record a call that has no effect by the standard, with the reason; it is never an `error`.
  case ignored(MRAIDCommand, reason: String)
  /// Record that properties were set before `ready`: a defect of the creative, although they are kept.
  case premature(MRAIDCommand)
}

/// Form in which the host shows the ad; frames are in dip from the content area's top-left.
package enum Presentation: Sendable, Hashable {
  /// In its slot, or full screen for an interstitial.
  case `default`
  /// Modal and topmost over the whole content area; a URL is loaded into a second view.
  case expanded(url: String?)
  /// Above the app, not modal, without moving its content; without a position there is no close control of the host's.
  case resized(frame: Rect, closePosition: ClosePosition?)
  /// Off the screen.
  case hidden
}

/// Update of a page: properties to set, then events to dispatch.
package struct BridgeUpdate: Sendable, Hashable, Codable {
  /// Changed values of getters, by the bridge's property names.
  package var properties: [String: JSONValue]
  package var events: [MRAIDEvent]

  package init(properties: [String: JSONValue] = [:], events: [MRAIDEvent] = []) {
    self.properties = properties
    self.events = events
  }
}

/// Event for the page's listeners.
package struct MRAIDEvent: Sendable, Hashable, Codable {
  package var name: String
  package var arguments: [JSONValue]

  package init(_ name: String, _ arguments: [JSONValue] = []) {
    self.name = name
    self.arguments = arguments
  }
}
