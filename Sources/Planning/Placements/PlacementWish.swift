package import Jobs
package import MRAID
internal import Stage

/// What a caller says of the placement, before the scenario has its say.
package struct PlacementWish: Hashable, Sendable {
  package var kind: Placement.Kind?
  package var size: Size?
  package var position: Placement.Position?

  package init(kind: Placement.Kind? = nil, size: Size? = nil, position: Placement.Position? = nil) {
    (self.kind, self.size, self.position) = (kind, size, position)
  }

  /// Whether it asks an interstitial, which fills the screen, for a size or a position.
  package var contradictsItself: Bool { kind == .interstitial && (size != nil || position != nil) }

  /// This wish, then the scenario's, then a banner; a size or position asked for means a banner.
  package func placement(scenario: Placement?) -> Placement {
    let kind = kind ?? (size != nil || position != nil ? .banner : scenario?.kind ?? .banner)
    guard kind == .banner else { return Placement(kind: kind) }
    let written = scenario?.kind == .banner ? scenario : nil
    return Placement(kind: .banner, size: size ?? written?.size, position: position ?? written?.position ?? .center)
  }
}
