internal import ArgumentParser
internal import Foundation
internal import Jobs
internal import MRAID

/// Which container the creatives meet.
struct ContainerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The SDK whose container the ads meet, or a .json file that describes one (default: spec).", valueName: "name"))
  var container: String?

  /// The container asked for; nil for the standard's.
  func resolved() throws(Fault) -> ContainerProfile? {
    guard let container else { return nil }
    let profile = try Self.profile(container)
    return profile.differences.isEmpty ? nil : profile
  }

  /// A container of the catalogue, or of a file.
  static func profile(_ name: String) throws(Fault) -> ContainerProfile {
    let catalogue = ContainerCatalogue.standard
    if let profile = catalogue.container(named: name) { return profile }
    if name.hasSuffix(".json") { return try ContainerFile.read(name) }
    let names = catalogue.containers.map(\.name).joined(separator: ", ")
    throw .request("unknown-container", "there is no container '\(name)'; there are \(names)")
  }
}

extension Placement {
  /// The placement that a container makes of the one asked for: some only ever fill the screen.
  func shown(in container: ContainerProfile?) -> Placement {
    container?.behaviour.placement == .interstitial ? Placement(kind: .interstitial) : self
  }
}

extension RenderJob {
  /// Shows the ad as the container does, and warns where that isn't what was asked for.
  mutating func show(in container: ContainerProfile?) {
    let asked = placement
    placement = asked.shown(in: container)
    guard let container, placement.kind != asked.kind else { return }
    warnings.append(
      "\(container.name) has no \(asked.kind.rawValue): the ad was shown as an \(placement.kind.rawValue)")
  }
}
