/// What happens to an app besides what the person does with the ad; only a feed has a history to go by.
package enum AppEvent: Hashable, Sendable, Codable {
  /// The app is started anew.
  case launch
  /// Days pass, without a creative seeing any of it.
  case days(Double)
  /// The app is replaced by this version.
  case update(String)
  /// The person registers with the app, or no longer is registered.
  case register(Bool)
  /// The next request of the app's fails.
  case failNextRequest
  /// There is no network from here on, or there is again.
  case offline
  case online
}
