/// One `Creative` of an ad.
package struct VASTCreative: Hashable, Sendable {
  package var id: String?
  package var adID: String?
  /// Its place among the ad's creatives.
  package var sequence: Int?
  /// `registry:value` of each identifier that holds across servers.
  package var universalIDs: [String]
  package var content: Content

  package enum Content: Hashable, Sendable {
    case linear(VASTLinear)
    /// Overlays; shown where an ad has no film.
    case nonLinear([VASTNonLinear], tracking: [VASTTracking])
    case companions([VASTCompanion], required: VASTCompanion.Required)
  }
}

/// An ad over a running programme.
package struct VASTNonLinear: Hashable, Sendable {
  package var id: String?
  package var width: Double?
  package var height: Double?
  package var apiFramework: String?
  /// Seconds it should stay at least.
  package var shortestStay: Double?
  /// In the order of the companions': markup, pages, pictures.
  package var resources: [VASTResource] = []
  package var clickThrough: String?
  package var clickTracking: [String] = []
  /// What its program is told.
  package var parameters: String?

  package init(id: String? = nil, width: Double? = nil, height: Double? = nil, apiFramework: String? = nil) {
    self.id = id
    self.width = width
    self.height = height
    self.apiFramework = apiFramework
  }
}

/// One address that is asked at an event.
package struct VASTTracking: Hashable, Sendable {
  /// As the document names it: `firstQuartile`.
  package var event: String
  /// When, for `progress`.
  package var offset: VASTOffset?
  package var url: String

  package init(event: String, offset: VASTOffset? = nil, url: String) {
    self.event = event
    self.offset = offset
    self.url = url
  }
}

/// An address that is called when something is seen as the industry counts seeing.
package struct VASTViewableImpression: Hashable, Sendable {
  package var viewable: [String] = []
  package var notViewable: [String] = []
  package var undetermined: [String] = []

  package init() {}

  package var isEmpty: Bool { viewable.isEmpty && notViewable.isEmpty && undetermined.isEmpty }
}

/// Code of a measuring company: run where the app measures by Open Measurement, else told of.
package struct VASTVerification: Hashable, Sendable {
  package var vendor: String?
  /// Addresses of its script or program.
  package var resources: [String]
  /// Those among them that are scripts.
  package var scripts: [VASTVerificationScript] = []
  package var apiFramework: String?
  package var parameters: String?
  /// Asked, with a reason, because it isn't run.
  package var notExecuted: [String]
  /// Whether its document has a place to say whom to ask then.
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

/// A script of a measuring company, and what it is written for.
package struct VASTVerificationScript: Hashable, Sendable {
  package var url: String
  /// `omid` for Open Measurement.
  package var apiFramework: String?
  /// Whether it runs without a browser as well.
  package var isBrowserOptional: Bool

  package init(url: String, apiFramework: String?, isBrowserOptional: Bool) {
    self.url = url
    self.apiFramework = apiFramework
    self.isBrowserOptional = isBrowserOptional
  }
}

extension VASTVerification {
  /// What a player with Open Measurement runs, which always has a browser; nil where it is all for something else.
  package var omidScript: VASTVerificationScript? { scripts.first { $0.apiFramework?.lowercased() == "omid" } }
}

/// What somebody added to the standard, kept as it came.
package struct VASTExtension: Hashable, Sendable {
  package var type: String?
  package var xml: String

  package init(type: String?, xml: String) {
    self.type = type
    self.xml = xml
  }
}

/// An ad that goes with the film; here its end card.
package struct VASTCompanion: Hashable, Sendable {
  package var id: String?
  package var width: Double
  package var height: Double
  package var assetWidth: Double?
  package var assetHeight: Double?
  /// In the document's order; a companion of a wrapper may have none, only tracking.
  package var resources: [VASTResource]
  package var apiFramework: String?
  package var alternativeText: String?
  package var clickThrough: String?
  package var clickTracking: [String]
  package var tracking: [VASTTracking]
  /// `end-card`, `concurrent` or nothing (4.1).
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

  /// How many of an ad's companions have to be shown for the film to be.
  package enum Required: String, Hashable, Sendable {
    case all, any, none
  }
}

/// What a companion or an icon is made of.
package enum VASTResource: Hashable, Sendable {
  /// A picture, or a script, and its type in lower case.
  case screenshot(url: String, type: String)
  /// A page of its own.
  case page(url: String)
  /// Markup.
  case html(String)
}
