internal import ArgumentParser
internal import Jobs
internal import MRAID
internal import Planning
internal import Stage

/// Where the app shows the ad.
struct PlacementOptions: ParsableArguments {
  @Option(help: "What the ad is shown as (default: the scenario's choice, else banner).")
  var placement: Placement.Kind?

  @Option(
    help: ArgumentHelp("A banner's slot in dip (default: the creative's ad.size, else 320x50).", valueName: "WxH"),
    transform: PlacementOptions.size)
  var size: Size?

  @Option(help: "Where on the screen a banner stands.") var position: SlotPosition?

  @Option(help: ArgumentHelp("The feed that the creatives are the ads of, for --placement feed.", valueName: "file"))
  var feed: String?

  func validate() throws {
    if feed != nil, let placement, placement != .feed { throw ValidationError("--feed goes with --placement feed") }
    if placement == .feed, feed == nil { throw ValidationError("--placement feed needs --feed with the feed's file") }
    if feed != nil, size != nil || position != nil {
      throw ValidationError("--size and --position go with a banner; the feed's file has the size of its ads")
    }
    if placement == .interstitial, size != nil || position != nil {
      throw ValidationError("--size and --position go with a banner; an interstitial fills the screen")
    }
  }

  /// These options, then the scenario's wishes, then a banner; a size or position asked for means a banner.
  func placement(scenario: Placement?) -> Placement {
    if feed != nil { return Placement(kind: .feed) }
    return PlacementWish(kind: placement, size: size, position: position).placement(scenario: scenario)
  }

  private static func size(_ text: String) throws -> Size {
    guard let size = Size(slot: text) else {
      throw ValidationError("'\(text)' is no size: write it like 320x50, each side from 1 to 10000")
    }
    return size
  }
}

extension Placement.Kind: ExpressibleByArgument {}
extension SlotPosition: ExpressibleByArgument {}
