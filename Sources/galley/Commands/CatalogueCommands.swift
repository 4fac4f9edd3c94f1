internal import ArgumentParser
internal import Core
internal import Device
internal import MRAID
internal import Terminal

/// Lists the devices a creative can be rendered on.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List the devices on which creatives can be rendered.")

  @Flag(help: "Print the catalogue as JSON.") var json = false

  func run() throws {
    let devices = DeviceCatalogue.standard.devices
    try Console.output.printMessage(json ? try JSONText.of(devices) : DeviceTable(devices: devices).text)
  }
}

/// Lists the containers a creative can be shown in, with their differences and the sources of these.
struct ContainersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "containers", abstract: "List the SDK containers and how each one differs from MRAID.")

  @Flag(help: "Print the profiles as JSON, in the format that --container reads.") var json = false

  func run() throws {
    let containers = ContainerCatalogue.standard.containers
    try Console.output.printMessage(json ? try JSONText.of(containers) : ContainerListing(containers: containers).text)
  }
}
