internal import Application
internal import ArgumentParser
internal import Checks
internal import Core
internal import Device
internal import Foundation
internal import MRAID
internal import RenderModel

/// Options for the devices on which creatives are rendered.
struct DeviceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      A device of the catalogue, or a .json file that describes one (default: \(DeviceCatalogue.defaultName), or a \
      device with room for the ad).
      """,
      valueName: "name"),
    completion: .list(DeviceCatalogue.standard.devices.map(\.name)))
  var device: [String] = []

  @Option(help: ArgumentHelp("A screen of your own, in dip.", valueName: "WxH@scale"))
  var screen: String?

  @Option(help: "The device's orientation at the start.") var orientation: AppOrientation?

  func validate() throws {
    if !device.isEmpty, screen != nil { throw ValidationError("--device and --screen can't be combined") }
  }

  /// Returns the requested device for a command that takes only one, by default the catalogue's.
  func resolved() throws(Fault) -> Device {
    let all = try devices()
    guard all.count == 1 else {
      throw .request("device-duplicate", "this command takes one --device: run it once for each of \(list(all))")
    }
    return all[0]
  }

  /// Files that describe devices; nil for names of the catalogue.
  var files: [String?] { device.filter { $0.hasSuffix(".json") } }

  /// Indicates if no device was requested.
  var isOpen: Bool { device.isEmpty && screen == nil }

  /// Returns all requested devices, by default the catalogue's.
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

/// Options for the ad's placement in the app.
struct PlacementOptions: ParsableArguments {
  @Option(help: "The ad's placement (default: the scenario's choice, else banner).")
  var placement: Placement.Kind?

  @Option(
    help: ArgumentHelp(
      "A banner's size in dip (default: the creative's ad.size, its name or styles, else 320x50).",
      valueName: "WxH"),
    transform: PlacementOptions.size)
  var size: Size?

  @Option(help: "The banner's position on the screen.") var position: SlotPosition?

  @Option(help: ArgumentHelp("The feed file whose ads are the creatives, for --placement feed.", valueName: "file"))
  var feed: String?

  func validate() throws {
    if feed != nil, let placement, placement != .feed { throw ValidationError("--feed requires --placement feed") }
    if placement == .feed, feed == nil { throw ValidationError("--placement feed requires --feed with the feed file") }
    if feed != nil, size != nil || position != nil {
      throw ValidationError("--size and --position are for banners; a feed's file sets the size of its ads")
    }
    if placement == .interstitial, size != nil || position != nil {
      throw ValidationError("--size and --position are for banners; an interstitial fills the screen")
    }
  }

  var wish: PlacementRequest { PlacementRequest(kind: placement, size: size, position: position) }

  private static func size(_ text: String) throws -> Size {
    guard let size = Size(slot: text) else {
      throw ValidationError("'\(text)' isn't a size: write it like 320x50, each side from 1 to 10000")
    }
    return size
  }
}

extension Placement.Kind: ExpressibleByArgument {}
extension SlotPosition: ExpressibleByArgument {}

/// Option for the container in which creatives run.
struct ContainerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The SDK container in which the ads run, or a .json file that describes one (default: spec).", valueName: "name"),
    completion: .list(ContainerCatalogue.standard.containers.map(\.name)))
  private var container: String?

  /// Indicates if the call names a container.
  var isGiven: Bool { container != nil }

  /// File that describes the container; empty for none.
  var files: [String?] { [container].filter { $0?.hasSuffix(".json") == true } }

  /// Returns the requested container; nil for the standard's.
  func resolved() throws(Fault) -> ContainerProfile? {
    guard let container else { return nil }
    let profile = try ContainerFile.named(container)
    return profile.differences.isEmpty ? nil : profile
  }

  /// Returns the requested container; without a request the one that the networks' profiles agree on.
  func resolved(for profiles: [Profile]) throws(Fault) -> ContainerProfile? {
    guard container == nil else { return try resolved() }
    return ContainerProfile.agreed(on: profiles)
  }
}
