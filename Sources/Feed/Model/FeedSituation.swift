/// What providers may go by besides the model: which feed it is, and what this person did before.
package struct FeedSituation: Hashable, Sendable {
  /// The feed's kind: subscriptions, popular, whatever an app has.
  package var kind: String
  package var history: FeedHistory

  package init(kind: String, history: FeedHistory = FeedHistory()) {
    self.kind = kind
    self.history = history
  }
}
