internal import AdExperience
internal import WebKitRuntime

/// What has become of a session's films, and of the pages around them.
struct VideoState {
  /// By their players' views.
  var films: [AdViewID: Film] = [:]
  /// End cards between the films of a pod, by their views.
  var cards: [AdViewID: CompanionCreative] = [:]
  /// How many want films to stand still.
  var holds = 0
  /// Whether they have been told to, and haven't all answered.
  var areStopped = false
  var areStopping = false
  /// Galley's own pages in the creative's origin, by their paths.
  var pages: [String: SchemeResponse] = [:]
  /// Whether the player that `playVideo` opened hasn't shown anything yet.
  var awaitsPlayer = false
  /// Whether the browser's page is the player that `playVideo` opened.
  var playsVideo = false
  /// Events that had somebody to tell.
  var beacons = 0
  /// Responses that were loaded.
  var responses = 0
}
