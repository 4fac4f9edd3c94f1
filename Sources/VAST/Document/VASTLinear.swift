/// A film as it is offered: the files it may be played from, and whoever wants to hear of it.
package struct VASTLinear: Hashable, Sendable {
  /// Seconds; nil in a wrapper, or where the document doesn't say.
  package var duration: Double?
  /// When a person may skip it; nil for never.
  package var skipOffset: VASTOffset?
  package var mediaFiles: [VASTMediaFile] = []
  /// Interactive files that go with the film (SIMID), told of and never run.
  package var interactiveFiles: [VASTMediaFile] = []
  package var tracking: [VASTTracking] = []
  package var clickThrough: String?
  package var clickTracking: [String] = []
  package var customClicks: [String] = []
  package var icons: [VASTIcon] = []
  package var parameters: String?

  package init() {}
}

/// One file of a film.
package struct VASTMediaFile: Hashable, Sendable {
  package var url: String
  /// `video/mp4`, in lower case.
  package var type: String
  package var width: Int
  package var height: Int
  /// Kilobits a second.
  package var bitrate: Int?
  package var delivery: Delivery
  /// `VPAID`, `SIMID`: not a film but a program.
  package var apiFramework: String?
  package var codec: String?

  package enum Delivery: String, Hashable, Sendable {
    case progressive, streaming
  }

  package init(
    url: String, type: String, width: Int, height: Int, bitrate: Int? = nil, delivery: Delivery = .progressive,
    apiFramework: String? = nil, codec: String? = nil
  ) {
    self.url = url
    self.type = type
    self.width = width
    self.height = height
    self.bitrate = bitrate
    self.delivery = delivery
    self.apiFramework = apiFramework
    self.codec = codec
  }
}

/// A mark over the film that says whose ad it is: AdChoices.
package struct VASTIcon: Hashable, Sendable {
  package var program: String?
  package var width: Double?
  package var height: Double?
  package var x: Place
  package var y: Place
  /// Seconds of the film before it shows.
  package var offset: VASTOffset?
  /// Seconds it shows; nil for to the end.
  package var duration: Double?
  package var resource: VASTResource?
  package var clickThrough: String?
  package var clickTracking: [String]
  package var viewTracking: [String]

  /// Where its edge stands in the film.
  package enum Place: Hashable, Sendable {
    /// At the left or top.
    case start
    /// At the right or bottom.
    case end
    /// So many dip from the left or top.
    case at(Double)
  }
}
