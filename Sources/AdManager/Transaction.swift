package import AdResponses
package import Core

/// Loaded ad with its creatives in the order in which they are shown.
package final class Transaction {
  /// Creatives in display order, for example a video and its end card.
  package let creatives: [any Creative]
  /// Configuration that was requested.
  package let configuration: AdConfiguration

  /// Creates an ad of these creatives, the first of which is loaded.
  package init(creatives: [any Creative], configuration: AdConfiguration) {
    self.creatives = creatives
    self.configuration = configuration
  }

  /// Details for the ad view.
  package var details: AdDetails { AdDetails(size: configuration.size, creativeCount: creatives.count) }

  /// Returns the next creative after `creative` that can still be shown; nil if there is none.
  func creative(after creative: any Creative) -> (any Creative)? {
    creatives.drop { $0 !== creative }.dropFirst().first { !$0.isGone }
  }
}

/// Request of an ad view: it names the kind of ad, never the kind of creative.
package struct AdConfiguration: Hashable, Sendable {
  /// Kind of ad, by the place that shows it.
  package enum Kind: String, Sendable {
    /// Ad in a slot of the app's page.
    case banner
    /// Ad above the app, until it is closed.
    case interstitial
  }

  /// Kind of ad, banner or interstitial.
  package var kind: Kind
  /// Size in dip: the slot's, or the content area's for an interstitial.
  package var size: Size
  /// Seconds until an interstitial's close control may be used; only counted if the ad manager has a timer.
  package var closeDelay: Double

  /// Creates a configuration for an ad of this kind and size.
  package init(kind: Kind, size: Size, closeDelay: Double = 0) {
    self.kind = kind
    self.size = size
    self.closeDelay = closeDelay
  }
}

/// Details of a loaded ad for the ad view.
package struct AdDetails: Hashable, Sendable {
  /// Requested size in dip.
  package var size: Size
  /// Number of creatives in the transaction.
  package var creativeCount: Int

  /// Creates the details of an ad.
  package init(size: Size, creativeCount: Int) {
    self.size = size
    self.creativeCount = creativeCount
  }
}

/// Reason that an ad couldn't be loaded.
package struct AdError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Reason in words for the event log.
  package var description: String
  /// Stable code for machines.
  package var code: String
  /// VAST error code that hasn't been logged yet; nil if it isn't a VAST error or has been logged already.
  package var untold: VASTErrorCode?

  /// Creates an error for this reason.
  package init(_ description: String, code: String = "ad-load-failed", untold: VASTErrorCode? = nil) {
    self.description = description
    self.code = code
    self.untold = untold
  }

  private static let loadFailed = "ad-load-failed"

  /// Indicates that another attempt may succeed; false for a response without a usable ad and for one that was too
  /// slow.
  ///
  /// A response without an ad stays so, and a slow one would hold up the others.
  package var isPassing: Bool { code == Self.loadFailed }

  /// Error of a creative that called `unload()` before its load had ended.
  package static let unloadedWhileLoading = AdError("the creative unloaded itself while it was loading")

  /// Converts the error that broke a chain into the form that the ad view gets.
  package init(_ error: any Error) {
    self = error as? AdError ?? AdError("\(error)")
  }
}
