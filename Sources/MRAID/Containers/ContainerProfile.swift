internal import Core
internal import Foundation

/// A container that creatives meet: MRAID 3.0 but for a list of differences, each with its source.
package struct ContainerProfile: Hashable, Sendable {
  /// Lower case with hyphens; `spec` is the standard's own.
  package let name: String
  /// The product's name.
  package let title: String
  package let differences: [ContainerDifference]
  /// What the differences come to.
  package let behaviour: ContainerBehaviour

  /// The standard, without a difference.
  package static let spec = ContainerProfile(name: "spec", title: "MRAID 3.0")

  private init(name: String, title: String) {
    (self.name, self.title, differences, behaviour) = (name, title, [], .spec)
  }

  /// Reads the differences one after another.
  /// - Throws: what is wrong with the name or with a difference.
  package init(name: String, title: String, differences: [ContainerDifference]) throws(ContainerProblem) {
    let isName = name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-" || $0 == ".") }
    guard isName, let first = name.first, first != ".", first != "-" else { throw .name(name) }
    var behaviour = ContainerBehaviour.spec
    for difference in differences {
      guard difference.source.contains("://") else { throw .source(difference.what) }
      guard Self.isDay(difference.date) else { throw .date(difference.what, difference.date) }
      try behaviour.apply(difference)
    }
    // The page judges by the same rules, whichever difference comes first.
    behaviour.bridge.errorsInCall?.needsAllowOffscreen = behaviour.resize.needsAllowOffscreen
    behaviour.bridge.errorsInCall?.boundsOffscreen = behaviour.resize.boundsOffscreen
    (self.name, self.title, self.differences, self.behaviour) = (name, title, differences, behaviour)
  }

  /// Whether it is written like 2026-08-19.
  private static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.allSatisfy { $0.isASCII && $0.isNumber } ? Int($0) : nil }
    guard parts.map(\.count) == [4, 2, 2], numbers.count == 3 else { return false }
    return (1...12).contains(numbers[1]) && (1...31).contains(numbers[2])
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
        PackageResources.safeframe_json,
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
