/// Whose doing a log entry is.
package enum CreativeLogSource: Sendable {
  /// The app and the device did something for the creative.
  case host
  /// The session's own remark; the creative never hears it.
  case mraid
}
