internal import Application
internal import ArgumentParser
internal import Core
internal import Terminal

/// Prints the contents of creatives and ad responses without rendering them.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Describe a creative or an ad response as Galley reads it.",
    discussion: """
      Prints VAST 2.0 to 4.3, VMAP, OpenRTB bid responses and native ads in full: ads, media, trackers, wrappers, and \
      violations of their standard. Of a playable it names the networks whose store its code can open. The command \
      renders nothing, sends no requests and follows no wrappers.

      \(ExitStatus.help)
      """)

  @Argument(
    help: ArgumentHelp(
      "Responses, HTML files, folders, zips, http(s) URLs or - for standard input.", valueName: "creative"))
  var creatives: [String]

  @Flag(name: .shortAndLong, help: "Search folders for creatives.") var recursive = false
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() throws {
    let inspection = Inspection(creatives, recursive: recursive, spool: StandardInputSpool.fill)
    try InspectionReporter(output: output, console: .output).printMessage(inspection)
    throw inspection.status
  }
}
