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

  /// The feed itself as something to render: named like its file, without the ending.
  package var asCreative: CreativeReference {
    let file = path.split(separator: "/").last.map(String.init) ?? "feed"
    let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    return CreativeReference(argument: argument, path: path, name: stem.isEmpty ? "feed" : stem)
  }
}
