internal import Application
internal import ArgumentParser
internal import Core
internal import Terminal

/// Says what creatives and ad responses are, without rendering.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Say what a creative or an ad response is, as Galley reads it.",
    discussion: """
      VAST 2.0 to 4.3, VMAP, OpenRTB bid responses and native ads are told in full: ads, media, trackers, wrappers, \
      and what of them breaks their standard. Nothing is rendered, nobody is asked, and no wrapper is followed.

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
