internal import Application
internal import Core
internal import Device
internal import Terminal

extension BatchPlanner {
  /// Prints the creatives that would be rendered without rendering them, and returns the exit status.
  func printList(
    of creatives: [String], recursive: Bool, on devices: [Device], _ output: OutputOptions
  ) throws(Fault) -> ExitStatus {
    let listing = list(
      creatives, recursive: recursive, devices: devices.map(\.name), spool: StandardInputSpool.fill)
    try ListReporter(output: output, console: .output).printMessage(listing)
    return listing.status
  }
}
