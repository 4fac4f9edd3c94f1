internal import ArgumentParser
internal import Core
internal import Device
internal import MRAID

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

/// The catalogue for people.
struct DeviceTable {
  let devices: [Device]

  /// A header and a line for each device, columns aligned.
  var text: String {
    let rows = [["NAME", "SCREEN", "SCALE", "SAFE AREA", "TOUCH"]] + devices.map(row)
    let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let line = zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
      return String(line.reversed().drop(while: { $0 == " " }).reversed()) + "\n"
    }.joined()
  }

  private func row(_ device: Device) -> [String] {
    let area = device.safeArea
    let insets = [area.top, area.right, area.bottom, area.left].map(\.plain)
    return [
      device.name, "\(device.screen)", device.scale.plain,
      area == .zero ? "–" : insets.joined(separator: " "), device.touch ? "yes" : "no",
    ]
  }
}

/// Lists the containers a creative can be shown in, with their differences and where each is said.
struct ContainersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "containers", abstract: "List the SDK containers creatives can meet, and how each departs from MRAID.")

  @Flag(help: "Print the profiles as JSON, in the form that --container reads.") var json = false

  func run() throws {
    let containers = ContainerCatalogue.standard.containers
    try Console.output.tell(json ? try JSONText.of(containers) : ContainerListing(containers: containers).text)
  }
}

/// The containers for people: each with its differences, and under each where it is said.
struct ContainerListing {
  let containers: [ContainerProfile]

  var text: String { containers.map(text).joined(separator: "\n") }

  private func text(_ container: ContainerProfile) -> String {
    let lines = container.differences.flatMap { difference in
      [
        "  \(difference.what.rawValue) = \(difference.value.text)", "    \(difference.note)",
        "    \(difference.source) (\(difference.date))",
      ]
    }
    return (["\(container.name)  \(container.title)"] + lines).map { $0.printable + "\n" }.joined()
  }
}
