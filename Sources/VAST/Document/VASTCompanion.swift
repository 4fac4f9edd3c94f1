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
  case picture(url: String, type: String)
  /// A page of its own.
  case page(url: String)
  /// Markup.
  case html(String)
}
