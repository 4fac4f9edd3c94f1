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
  var device: String?

  @Option(help: ArgumentHelp("A screen of your own in dip.", valueName: "WxH@scale"))
  var screen: String?

  @Option(help: "How the device is held at the start.") var orientation: AppOrientation?

  func validate() throws {
    if device != nil, screen != nil { throw ValidationError("--device and --screen exclude each other") }
  }

  /// The device asked for, by default the catalogue's.
  func resolved() throws(Fault) -> Device {
    if let screen { return try Device.plain(screen: screen) }
    return try Self.device(device ?? DeviceCatalogue.defaultName)
  }

  /// A device of the catalogue, or of a file.
  static func device(_ name: String) throws(Fault) -> Device {
    let catalogue = DeviceCatalogue.standard
    if catalogue.device(named: name) == nil, name.hasSuffix(".json") { return try DeviceFile.read(name) }
    return try catalogue.required(name)
  }
}

extension AppOrientation: ExpressibleByArgument {}
