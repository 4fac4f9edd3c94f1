internal import ArgumentParser
internal import Foundation
internal import Jobs
internal import MRAID
internal import Planning

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
    if catalogue.container(named: name) == nil, name.hasSuffix(".json") { return try ContainerFile.read(name) }
    return try catalogue.required(name)
  }
}
