package import Jobs
package import MRAID
package import Stage

/// What somebody wants rendered, and how; without the creative itself, which is on disk by then.
package struct RenderRequest: Hashable, Sendable, Codable {
  /// How far to explore.
  package struct Exploring: Hashable, Sendable, Codable {
    package var actions: Int
    package var seconds: Double
  }

  /// What people call the creative; safe for a path.
  package var name: String
  /// The address to load; nil for a creative that was delivered.
  package var url: String?
  package var device: Described<Device>?
  package var screen: String?
  package var orientation: String?
  package var placement: Placement.Kind?
  package var size: String?
  package var position: Placement.Position?
  package var container: Described<ContainerProfile>?
  /// The scenario's YAML.
  package var scenario: String?
  package var explore: Exploring?
  /// Whether to measure and judge.
  package var checks: Bool
  package var profiles: [String]
  package var callback: String?
  /// Seconds of rendering, and of waiting for it.
  package var timeout: Double
  package var patience: Double
  package var memory: Int
  package var watch: Double?
  package var seed: UInt32?
  package var clock: RenderOptions.Clock?
  /// Seconds since 1970.
  package var date: Double?
  package var at: [Double]
  package var network: Bool
  // What was added later is left out of requests that were written down before.
  package var filmstrip: Captures.Filmstrip?
  package var measure: Bool?
  package var followClickthroughs: Bool?
  package var sendBeacons: Bool?
  package var compositing: RenderOptions.Compositing?
}
