internal import Application
internal import ArgumentParser
internal import Core
internal import Device
internal import Foundation
internal import MRAID
internal import RenderModel

/// Which device the creatives see.
struct DeviceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A device of the catalogue, or a .json file that describes one (default: \(DeviceCatalogue.defaultName)).",
      valueName: "name"))
  var device: [String] = []

  @Option(help: ArgumentHelp("A screen of your own in dip.", valueName: "WxH@scale"))
  var screen: String?

  @Option(help: "How the device is held at the start.") var orientation: AppOrientation?

  func validate() throws {
    if !device.isEmpty, screen != nil { throw ValidationError("--device and --screen exclude each other") }
  }

  /// The device asked for, by default the catalogue's, for what has use for one only.
  func resolved() throws(Fault) -> Device {
    let all = try devices()
    guard all.count == 1 else {
      throw .request("device-duplicate", "this command takes one --device: call it once for each of \(list(all))")
    }
    return all[0]
  }

  /// All devices asked for, by default the catalogue's.
  func devices() throws(Fault) -> [Device] {
    if let screen { return [try Device.plain(screen: screen)] }
    let names = device.isEmpty ? [DeviceCatalogue.defaultName] : device
    let all = try names.map { name throws(Fault) in try DeviceFile.named(name) }
    guard Set(all.map(\.name)).count == all.count else {
      throw .request("device-duplicate", "a device is named twice among \(list(all))")
    }
    return all
  }

  private func list(_ devices: [Device]) -> String { devices.map(\.name).joined(separator: ", ") }
}

extension AppOrientation: ExpressibleByArgument {}

/// Where the app shows the ad.
struct PlacementOptions: ParsableArguments {
  @Option(help: "What the ad is shown as (default: the scenario's choice, else banner).")
  var placement: Placement.Kind?

  @Option(
    help: ArgumentHelp(
      "A banner's slot in dip (default: the creative's ad.size, or what its name or styles say, else 320x50).",
      valueName: "WxH"),
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

  var wish: PlacementRequest { PlacementRequest(kind: placement, size: size, position: position) }

  private static func size(_ text: String) throws -> Size {
    guard let size = Size(slot: text) else {
      throw ValidationError("'\(text)' is no size: write it like 320x50, each side from 1 to 10000")
    }
    return size
  }
}

extension Placement.Kind: ExpressibleByArgument {}
extension SlotPosition: ExpressibleByArgument {}

/// Which container the creatives meet.
struct ContainerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The SDK whose container the ads meet, or a .json file that describes one (default: spec).", valueName: "name"))
  private var container: String?

  /// The container asked for; nil for the standard's.
  func resolved() throws(Fault) -> ContainerProfile? {
    guard let container else { return nil }
    let profile = try ContainerFile.named(container)
    return profile.differences.isEmpty ? nil : profile
  }
}
