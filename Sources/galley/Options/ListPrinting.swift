internal import Application
internal import Core
internal import Device
internal import Terminal

extension BatchPlanner {
  /// Prints what would be rendered instead of rendering it, and returns what the command ends with.
  func printList(
    of creatives: [String], recursive: Bool, on devices: [Device], _ output: OutputOptions
  ) throws(Fault) -> ExitStatus {
    let listing = list(
      creatives, recursive: recursive, devices: devices.map(\.name), spool: StandardInputSpool.fill)
    try ListReporter(output: output, console: .output).printMessage(listing)
    return listing.status
  }
}
