internal import ArgumentParser
internal import Checks
internal import Core
internal import Terminal

/// Lists the checks, or explains one.
struct ChecksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "checks", abstract: "List the checks, or explain one.")

  @Argument(help: ArgumentHelp("The check to explain.", valueName: "id"), completion: .list(Check.all.map(\.id)))
  var id: String?
  @Flag(help: "Print JSON: an array of all checks, or the named check.") var json = false

  func run() throws {
    let check = try id.map { try ChecksText.check($0) }
    let text =
      if let check {
        json ? try JSONText.of(CheckListing(check)) : ChecksText.explanation(check)
      } else {
        json ? try JSONText.of(Check.all.map(CheckListing.init)) : ChecksText.table
      }
    try Console.output.printMessage(text)
  }
}
