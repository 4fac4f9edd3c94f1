internal import ArgumentParser
internal import Jobs
internal import Stage

/// Lists the devices a creative can be rendered on.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List the devices creatives can be rendered on.")

  @Flag(help: "Print the catalogue as JSON.") var json = false

  func run() throws {
    let devices = DeviceCatalogue.standard.devices
    try Console.output.tell(json ? try JSONText.of(devices) : DeviceTable(devices: devices).text)
  }
}
