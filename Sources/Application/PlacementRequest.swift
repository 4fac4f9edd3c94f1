package import Core
internal import Device
package import MRAID
package import RenderModel

/// Placement that a call requests, before the scenario is considered.
package struct PlacementRequest: Hashable, Sendable {
  private var kind: Placement.Kind?
  private var size: Size?
  private var position: Placement.Position?

  package init(kind: Placement.Kind? = nil, size: Size? = nil, position: Placement.Position? = nil) {
    (self.kind, self.size, self.position) = (kind, size, position)
  }

  /// Indicates if the call requests nothing.
  package var isOpen: Bool { kind == nil && size == nil && position == nil }

  /// Indicates if an interstitial, which fills the screen, is requested with a size or position.
  package var contradictsItself: Bool { kind == .interstitial && (size != nil || position != nil) }

  /// Requested values as words; nil for each that isn't requested.
  var asked: [String?] {
    [kind?.rawValue, size.map { "\($0.width.plain)x\($0.height.plain)" }, position?.rawValue]
  }

  /// Returns the requested placement, else the scenario's, else a banner.
  ///
  /// A requested size or position implies a banner.
  package func placement(scenario: Placement?) -> Placement {
    let kind = kind ?? (size != nil || position != nil ? .banner : scenario?.kind ?? .banner)
    guard kind == .banner else { return Placement(kind: kind) }
    let written = scenario?.kind == .banner ? scenario : nil
    return Placement(kind: .banner, size: size ?? written?.size, position: position ?? written?.position ?? .center)
  }
}

extension Placement {
  /// Returns the placement in a container: some containers always fill the screen.
  package func shown(in container: ContainerProfile?) -> Placement {
    container?.behaviour.placement == .interstitial ? Placement(kind: .interstitial) : self
  }
}

extension RenderJob {
  /// Applies the container's placement, and warns if it isn't the requested one.
  package mutating func show(in container: ContainerProfile?) {
    let asked = placement
    // A feed without a place for ads of this container is still the feed.
    if let container, asked.kind == .feed {
      guard container.behaviour.placement == .interstitial else { return }
      return warnings.append("\(container.name) has only interstitials: its apps show no ads in feeds")
    }
    placement = asked.shown(in: container)
    guard let container, placement.kind != asked.kind else { return }
    warnings.append(
      "\(container.name) has no \(asked.kind.rawValue): the ad was shown as an \(placement.kind.rawValue)")
  }
}
