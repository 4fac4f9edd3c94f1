package import Jobs
package import MRAID

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
