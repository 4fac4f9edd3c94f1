/// Where a feed's rules are, and which creatives its ads are.
package struct FeedReference: Hashable, Sendable, Codable {
  /// What the caller wrote.
  package var argument: String
  /// Absolute path of the feed file; sources are relative to its folder.
  package var path: String
  /// They fill the feed's ad slots in turn; the job's own creative is the first of them.
  package var creatives: [CreativeReference]

  package init(argument: String, path: String, creatives: [CreativeReference]) {
    self.argument = argument
    self.path = path
    self.creatives = creatives
  }
}
