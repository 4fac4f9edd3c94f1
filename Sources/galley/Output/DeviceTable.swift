internal import Core
internal import MRAID
internal import Stage

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
