package import MRAID

/// The ad's page as it stood when a state was first pictured.
package struct PageAudit: Hashable, Sendable, Codable {
  package var state: MRAIDState
  /// Milliseconds since the load began.
  package var t: Double
  /// The name of the picture of that moment.
  package var picture: String?
  /// The ad's own view in dip: the slot, or the screen of an interstitial or expanded ad.
  package var width: Double
  package var height: Double
  /// Nil when the page couldn't be asked.
  package var document: DocumentAudit?
  /// Nil when there was no picture.
  package var surface: SurfaceAudit?

  package init(
    state: MRAIDState, t: Double, picture: String? = nil, width: Double, height: Double,
    document: DocumentAudit? = nil, surface: SurfaceAudit? = nil
  ) {
    self.state = state
    self.t = t
    self.picture = picture
    self.width = width
    self.height = height
    self.document = document
    self.surface = surface
  }
}
