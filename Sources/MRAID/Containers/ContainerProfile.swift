internal import Core
internal import Foundation

/// Container for creatives: MRAID 3.0 with a list of differences, each with its source.
package struct ContainerProfile: Hashable, Sendable {
  /// Name in lower case, with digits, dots and hyphens; `spec` is the standard's own.
  package let name: String
  /// Name of the product.
  package let title: String
  package let differences: [ContainerDifference]
  /// Behaviour that results from the differences.
  package let behaviour: ContainerBehaviour

  /// Indicates if the container is an ad network's for playables, without MRAID.
  package var isForPlayables: Bool { behaviour.bridge.interface == .playable }

  /// Container of the standard, without a difference.
  package static let spec = ContainerProfile(name: "spec", title: "MRAID 3.0")

  private init(name: String, title: String) {
    (self.name, self.title, differences, behaviour) = (name, title, [], .spec)
  }

  /// Applies the differences one after another.
  /// - Throws: the problem with the name or with a difference.
  package init(name: String, title: String, differences: [ContainerDifference]) throws(ContainerProblem) {
    let isName = name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-" || $0 == ".") }
    guard isName, let first = name.first, first != ".", first != "-" else { throw .name(name) }
    var behaviour = ContainerBehaviour.spec
    for difference in differences {
      guard difference.source.contains("://") else { throw .source(difference.what) }
      guard Day.isDay(difference.date) else { throw .date(difference.what, difference.date) }
      try behaviour.apply(difference)
    }
    if behaviour.bridge.interface == .playable, let moment = behaviour.bridge.playable.unknownMoment {
      throw .value(.sends, needs: "moments or functions of the network; '\(moment)' isn't one")
    }
    // The page judges by the same rules, whichever difference comes first.
    behaviour.bridge.errorsInCall?.needsAllowOffscreen = behaviour.resize.needsAllowOffscreen
    behaviour.bridge.errorsInCall?.boundsOffscreen = behaviour.resize.boundsOffscreen
    (self.name, self.title, self.differences, self.behaviour) = (name, title, differences, behaviour)
  }
}

extension ContainerProfile: Codable {
  private enum Key: String, CodingKey {
    case name, title, differences
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    self = try Self(
      name: members.decode(String.self, forKey: .name), title: members.decode(String.self, forKey: .title),
      differences: members.decode([ContainerDifference].self, forKey: .differences))
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(name, forKey: .name)
    try members.encode(title, forKey: .title)
    try members.encode(differences, forKey: .differences)
  }
}

/// Containers known by name.
package struct ContainerCatalogue: Sendable {
  /// Containers in order: the standard first, then those of each SDK.
  package let containers: [ContainerProfile]

  /// Catalogue of the containers that ship with Galley.
  package static let standard = ContainerCatalogue(
    containers: [.spec]
      + [
        PackageResources.mraid_2_json, PackageResources.gma_json, PackageResources.gma_next_gen_json,
        PackageResources.prebid_ios_json,
        PackageResources.prebid_android_json, PackageResources.prebid_android_3_0_json, PackageResources.unity_json,
        PackageResources.unity_2019_json, PackageResources.applovin_json, PackageResources.ironsource_json,
        PackageResources.safeframe_json, PackageResources.meta_json, PackageResources.mintegral_json,
        PackageResources.tiktok_json, PackageResources.pangle_json, PackageResources.vungle_json,
        PackageResources.app_campaigns_json, PackageResources.dapi_json, PackageResources.tapjoy_json,
        PackageResources.smadex_json, PackageResources.nucleo_json,
      ].map(read))

  package func container(named name: String) -> ContainerProfile? { containers.first { $0.name == name } }

  /// Reads a profile compiled into the program; tests make sure that all can be read.
  private static func read(_ bytes: [UInt8]) -> ContainerProfile {
    do {
      return try JSONDecoder().decode(ContainerProfile.self, from: Data(bytes))
    } catch {
      preconditionFailure("a container profile: \(error)")
    }
  }
}
