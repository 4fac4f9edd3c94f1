/// What a slot stands for: a post, an ad's place, a notification.
package protocol ContentItem: Sendable {
  /// Unique in its feed, of letters, digits and hyphens, and the same whatever stands around it.
  var id: String { get }
}
