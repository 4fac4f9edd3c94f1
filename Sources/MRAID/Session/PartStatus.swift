/// What one part's page has been told.
struct PartStatus: Hashable, Sendable {
  /// Its document is loaded; `ready` follows as soon as it is on screen.
  var isLoaded = false
  /// It got its `ready`.
  var isReady = false
  /// Its viewability has begun, which is just after `ready`.
  var seesExposure = false
  /// Values that are known to be in its page.
  var known: [String: JSONValue] = [:]
  /// Properties the host has written since the start: the page's own merging can't be relied on for them.
  var overwritten: Set<String> = []
  /// Events whose current value was asked for before `ready`.
  var wanted: Set<String> = []
}
