internal import AdManager
internal import Core
internal import Creatives
internal import Device
internal import RenderModel

/// Position and size of an ad on its device at the start.
struct InitialPlacement {
  let screen: Screen
  /// Size of the ad's placement in dip.
  let size: Size
  let summary: RenderRecord.PlacementSummary

  /// - Parameter meant: the size that the creative is made for, as far as it is known; used for a banner whose job has
  ///   no size.
  init(_ job: RenderJob, meant: SizeClue?) {
    var screen = Screen(device: job.device, orientation: job.orientation)
    let placement = job.placement
    switch placement.kind {
    case .banner:
      size = placement.size ?? meant?.size ?? Placement.fallbackSize
      screen.slot = Slot(size: size, position: placement.position)
    case .interstitial:
      size = screen.contentArea.size
    case .feed:
      size = screen.contentArea.size
      screen.feed = PlaceholderPlaces(view: .feed)
    }
    self.screen = screen
    summary = RenderRecord.PlacementSummary(
      kind: placement.kind, width: size.width, height: size.height,
      position: placement.kind == .banner ? placement.position : nil,
      assumedFrom: placement.kind == .banner && placement.size == nil ? SizeClue.assumption(meant) : nil)
  }
}
