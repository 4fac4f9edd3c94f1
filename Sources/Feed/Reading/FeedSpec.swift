/// What a feed file says.
package struct FeedSpec: Sendable {
  /// What the app calls the feed, in its header.
  package var title: String
  /// Which of an app's feeds it is.
  package var kind: String
  package var sources: FeedSources
  /// The most posts that are taken from the sources; nil for all.
  package var postLimit: Int?
  /// Kinds of content other than posts, in the order in which they decide.
  package var providers: [any ContentProvider]
  /// Kinds that are turned off.
  package var disabled: Set<ContentType>
  /// What happened before the feed is looked at.
  package var history: FeedHistory
  package var requests: RequestRules

  /// The rules for ads; nil for a feed without.
  package var ads: AdRules? { providers.lazy.compactMap { ($0 as? AdProvider)?.rules }.first }

  /// The feed with these posts.
  package func assembly(of posts: [Post]) -> FeedAssembly {
    let shown = postLimit.map { Array(posts.prefix($0)) } ?? posts
    return FeedAssembly(
      providers: [PostProvider(posts: shown)] + providers,
      factories: [PostCellFactory()] + ContentKind.all.map(\.factory), disabled: disabled)
  }
}
