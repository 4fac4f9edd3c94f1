/// An ad as it came: its creatives in the order they are shown.
package final class Transaction {
  /// In the order they are shown: a video, say, and its end card.
  package let creatives: [any Creative]
  /// What was asked for.
  package let configuration: AdConfiguration

  /// An ad of these creatives, of which the first is loaded.
  package init(creatives: [any Creative], configuration: AdConfiguration) {
    self.creatives = creatives
    self.configuration = configuration
  }

  /// What the ad view learns of it.
  package var details: AdDetails { AdDetails(size: configuration.size, creativeCount: creatives.count) }

  /// The next after `creative` that can still be shown.
  func creative(after creative: any Creative) -> (any Creative)? {
    creatives.drop { $0 !== creative }.dropFirst().first { !$0.isGone }
  }
}
