package import Core
internal import Device
package import MRAID
package import RenderModel

/// What a caller says of the placement, before the scenario has its say.
package struct PlacementRequest: Hashable, Sendable {
  private var kind: Placement.Kind?
  private var size: Size?
  private var position: Placement.Position?

  package init(kind: Placement.Kind? = nil, size: Size? = nil, position: Placement.Position? = nil) {
    (self.kind, self.size, self.position) = (kind, size, position)
  }

  /// Whether it asks an interstitial, which fills the screen, for a size or a position.
  package var contradictsItself: Bool { kind == .interstitial && (size != nil || position != nil) }

  /// What was asked for, in words.
  var asked: [String?] {
    [kind?.rawValue, size.map { "\($0.width.plain)x\($0.height.plain)" }, position?.rawValue]
  }

  /// This wish, then the scenario's, then a banner; a size or position asked for means a banner.
  package func placement(scenario: Placement?) -> Placement {
    let kind = kind ?? (size != nil || position != nil ? .banner : scenario?.kind ?? .banner)
    guard kind == .banner else { return Placement(kind: kind) }
    let written = scenario?.kind == .banner ? scenario : nil
    return Placement(kind: .banner, size: size ?? written?.size, position: position ?? written?.position ?? .center)
  }
}

extension Placement {
  /// The placement that a container makes of the one asked for: some only ever fill the screen.
  package func shown(in container: ContainerProfile?) -> Placement {
    container?.behaviour.placement == .interstitial ? Placement(kind: .interstitial) : self
  }
}

extension RenderJob {
  /// Shows the ad as the container does, and warns where that isn't what was asked for.
  package mutating func show(in container: ContainerProfile?) {
    let asked = placement
    // A feed without a place for ads of this container is still the feed.
    if let container, asked.kind == .feed {
      guard container.behaviour.placement == .interstitial else { return }
      return warnings.append("\(container.name) only ever fills the screen: its apps have no ads in feeds")
    }
    placement = asked.shown(in: container)
    guard let container, placement.kind != asked.kind else { return }
    warnings.append(
      "\(container.name) has no \(asked.kind.rawValue): the ad was shown as an \(placement.kind.rawValue)")
  }
}
