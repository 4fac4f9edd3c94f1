internal import Foundation

/// The containers known by name.
package struct ContainerCatalogue: Sendable {
  /// The standard first, then SDK by SDK.
  package let containers: [ContainerProfile]

  /// Those that ship with Galley.
  package static let standard = ContainerCatalogue(
    containers: [.spec]
      + [
        PackageResources.mraid_2_json, PackageResources.gma_json, PackageResources.gma_next_gen_json,
        PackageResources.prebid_ios_json,
        PackageResources.prebid_android_json, PackageResources.prebid_android_3_0_json, PackageResources.unity_json,
        PackageResources.unity_2019_json, PackageResources.applovin_json, PackageResources.ironsource_json,
      ].map(read))

  package func container(named name: String) -> ContainerProfile? { containers.first { $0.name == name } }

  /// Reads a profile compiled into the program; tests hold them to be readable.
  private static func read(_ bytes: [UInt8]) -> ContainerProfile {
    do {
      return try JSONDecoder().decode(ContainerProfile.self, from: Data(bytes))
    } catch {
      preconditionFailure("a container profile: \(error)")
    }
  }
}
