internal import Core
package import Device
package import MRAID

/// Device catalogue as a readable table.
package struct DeviceTable {
  private let devices: [Device]

  package init(devices: [Device]) { self.devices = devices }

  /// Table with a header and one line for each device, columns aligned.
  package var text: String {
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

/// Containers as readable text: each with its differences and their sources.
package struct ContainerListing {
  private let containers: [ContainerProfile]

  package init(containers: [ContainerProfile]) { self.containers = containers }

  package var text: String { containers.map(text).joined(separator: "\n") }

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
