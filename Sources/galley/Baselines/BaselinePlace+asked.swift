internal import Core
internal import Jobs
internal import MRAID
internal import Planning
internal import Stage

extension BaselinePlace {
  /// What of a call makes another baseline of the same creative on the same device.
  static func asked(
    orientation: AppOrientation?, placement: PlacementOptions, container: ContainerProfile?, variant: String?
  ) -> [String] {
    let size = placement.size.map { "\($0.width.plain)x\($0.height.plain)" }
    return [
      orientation?.rawValue, placement.placement?.rawValue, size, placement.position?.rawValue, container?.name,
      variant,
    ].compactMap(\.self)
  }
}
