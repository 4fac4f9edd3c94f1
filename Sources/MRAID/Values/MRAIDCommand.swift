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
