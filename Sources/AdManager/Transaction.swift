package import AdResponses
package import Core

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

/// What an ad view asks for: the kind of ad, never the kind of creative.
package struct AdConfiguration: Hashable, Sendable {
  /// Where an ad of this kind is shown.
  package enum Kind: String, Sendable {
    /// In a slot of the app's page.
    case banner
    /// Above the app, until it is closed.
    case interstitial
  }

  /// Banner or interstitial.
  package var kind: Kind
  /// The slot's size in dip; an interstitial's is the content area's.
  package var size: Size
  /// Seconds until an interstitial's close control may be used; counted only where the ad manager has a timer.
  package var closeDelay: Double

  /// An ad of this kind and size.
  package init(kind: Kind, size: Size, closeDelay: Double = 0) {
    self.kind = kind
    self.size = size
    self.closeDelay = closeDelay
  }
}

/// What an ad view learns of a loaded ad.
package struct AdDetails: Hashable, Sendable {
  /// What was asked for, in dip.
  package var size: Size
  /// Creatives in the transaction.
  package var creativeCount: Int

  /// An ad of this size with so many creatives.
  package init(size: Size, creativeCount: Int) {
    self.size = size
    self.creativeCount = creativeCount
  }
}

/// Why an ad couldn't be loaded.
package struct AdError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason in words, as the event log has it.
  package var description: String
  /// Stable, for machines.
  package var code: String
  /// What VAST calls it, where that is what was wrong and nobody has been told yet.
  package var untold: VASTErrorCode?

  /// An error for this reason.
  package init(_ description: String, code: String = "ad-load-failed", untold: VASTErrorCode? = nil) {
    self.description = description
    self.code = code
    self.untold = untold
  }

  private static let loadFailed = "ad-load-failed"

  /// Whether another try may do better: an answer that is none stays so, and what was slow holds up the others.
  package var isPassing: Bool { code == Self.loadFailed }

  /// The creative called `unload()` before its load had ended.
  package static let unloadedWhileLoading = AdError("the creative unloaded itself while it was loading")

  /// Whatever broke a chain, as an ad view is told of it.
  package init(_ error: any Error) {
    self = error as? AdError ?? AdError("\(error)")
  }
}
