internal import ArgumentParser
internal import Jobs
internal import MRAID
internal import Planning
internal import Stage

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

  /// Whether the call leaves the choice to others.
  var isOpen: Bool { device.isEmpty && screen == nil }

  /// The device asked for, by default the catalogue's, for what has use for one only.
  func resolved() throws(Fault) -> Device {
    let all = try devices()
    guard all.count == 1 else {
      throw .request("device-twice", "this command takes one --device: call it once for each of \(list(all))")
    }
    return all[0]
  }

  /// All devices asked for, by default the catalogue's.
  func devices() throws(Fault) -> [Device] {
    if let screen { return [try Device.plain(screen: screen)] }
    let names = device.isEmpty ? [DeviceCatalogue.defaultName] : device
    let all = try names.map { name throws(Fault) in try Self.device(name) }
    guard Set(all.map(\.name)).count == all.count else {
      throw .request("device-twice", "a device is named twice among \(list(all))")
    }
    return all
  }

  private func list(_ devices: [Device]) -> String { devices.map(\.name).joined(separator: ", ") }

  /// A device of the catalogue, or of a file.
  static func device(_ name: String) throws(Fault) -> Device {
    let catalogue = DeviceCatalogue.standard
    if catalogue.device(named: name) == nil, name.hasSuffix(".json") { return try DeviceFile.read(name) }
    return try catalogue.required(name)
  }
}

extension AppOrientation: ExpressibleByArgument {}
