/// One `Creative` of an ad.
package struct VASTCreative: Hashable, Sendable {
  package var id: String?
  package var adID: String?
  /// Place among the ad's creatives.
  package var sequence: Int?
  /// Identifiers that are valid across servers, each as `registry:value`.
  package var universalIDs: [String]
  package var content: Content

  package enum Content: Hashable, Sendable {
    case linear(VASTLinear)
    /// Overlays; shown if an ad has no video.
    case nonLinear([VASTNonLinear], tracking: [VASTTracking])
    case companions([VASTCompanion], required: VASTCompanion.Required)
  }
}

/// Ad over a running programme.
package struct VASTNonLinear: Hashable, Sendable {
  package var id: String?
  package var width: Double?
  package var height: Double?
  package var apiFramework: String?
  /// Minimum number of seconds that it should stay.
  package var shortestStay: Double?
  /// Resources in the same order as a companion's: markup, pages, images.
  package var resources: [VASTResource] = []
  package var clickThrough: String?
  package var clickTracking: [String] = []
  /// Parameters for its program.
  package var parameters: String?

  package init(id: String? = nil, width: Double? = nil, height: Double? = nil, apiFramework: String? = nil) {
    self.id = id
    self.width = width
    self.height = height
    self.apiFramework = apiFramework
  }
}

/// One address to request at an event.
package struct VASTTracking: Hashable, Sendable {
  /// Event by its name in the document, for example `firstQuartile`.
  package var event: String
  /// Moment of a `progress` event; nil for other events.
  package var offset: VASTOffset?
  package var url: String

  package init(event: String, offset: VASTOffset? = nil, url: String) {
    self.event = event
    self.offset = offset
    self.url = url
  }
}

/// Addresses to request for viewability, by the industry's definition of a view.
package struct VASTViewableImpression: Hashable, Sendable {
  package var viewable: [String] = []
  package var notViewable: [String] = []
  package var undetermined: [String] = []

  package init() {}

  package var isEmpty: Bool { viewable.isEmpty && notViewable.isEmpty && undetermined.isEmpty }
}

/// Code of a measurement company: run if the app measures with Open Measurement, otherwise only reported.
package struct VASTVerification: Hashable, Sendable {
  package var vendor: String?
  /// Addresses of its scripts or programs.
  package var resources: [String]
  /// Those resources that are scripts.
  package var scripts: [VASTVerificationScript] = []
  package var apiFramework: String?
  package var parameters: String?
  /// Addresses to request, with a reason, if it isn't run.
  package var notExecuted: [String]
  /// Indicates that its format has a place for the addresses to request if it isn't run.
  package var mayBeTracked = true

  package init(vendor: String?, resources: [String], apiFramework: String?, parameters: String?, notExecuted: [String])
  {
    self.vendor = vendor
    self.resources = resources
    self.apiFramework = apiFramework
    self.parameters = parameters
    self.notExecuted = notExecuted
  }
}

/// Script of a measurement company, and the framework it is written for.
package struct VASTVerificationScript: Hashable, Sendable {
  package var url: String
  /// Framework, `omid` for Open Measurement.
  package var apiFramework: String?
  /// Indicates that it also runs without a browser.
  package var isBrowserOptional: Bool

  package init(url: String, apiFramework: String?, isBrowserOptional: Bool) {
    self.url = url
    self.apiFramework = apiFramework
    self.isBrowserOptional = isBrowserOptional
  }
}

extension VASTVerification {
  /// Script for a player with Open Measurement, which always has a browser; nil if all are for another framework.
  package var omidScript: VASTVerificationScript? { scripts.first { $0.apiFramework?.lowercased() == "omid" } }
}

/// Extension of the standard, kept as it came.
package struct VASTExtension: Hashable, Sendable {
  package var type: String?
  package var xml: String

  package init(type: String?, xml: String) {
    self.type = type
    self.xml = xml
  }
}

/// Ad that accompanies the video; here its end card.
package struct VASTCompanion: Hashable, Sendable {
  package var id: String?
  package var width: Double
  package var height: Double
  package var assetWidth: Double?
  package var assetHeight: Double?
  /// Resources in the order markup, pages, images; a wrapper's companion may have none, only tracking.
  package var resources: [VASTResource]
  package var apiFramework: String?
  package var alternativeText: String?
  package var clickThrough: String?
  package var clickTracking: [String]
  package var tracking: [VASTTracking]
  /// `end-card`, `concurrent` or nil (4.1).
  package var renderingMode: String?

  package init(
    id: String? = nil, width: Double, height: Double, assetWidth: Double? = nil, assetHeight: Double? = nil,
    resources: [VASTResource], apiFramework: String? = nil, alternativeText: String? = nil,
    clickThrough: String? = nil, clickTracking: [String] = [], tracking: [VASTTracking] = [],
    renderingMode: String? = nil
  ) {
    self.id = id
    self.width = width
    self.height = height
    self.assetWidth = assetWidth
    self.assetHeight = assetHeight
    self.resources = resources
    self.apiFramework = apiFramework
    self.alternativeText = alternativeText
    self.clickThrough = clickThrough
    self.clickTracking = clickTracking
    self.tracking = tracking
    self.renderingMode = renderingMode
  }

  /// Number of an ad's companions that must be shown for its video to be shown.
  package enum Required: String, Hashable, Sendable {
    case all, any, none
  }
}

/// Content of a companion or an icon.
package enum VASTResource: Hashable, Sendable {
  /// An image, or a script, and its type in lower case.
  case screenshot(url: String, type: String)
  /// A page with its own address.
  case page(url: String)
  /// Markup in HTML.
  case html(String)
}
