internal import ArgumentParser
internal import FoundationEssentials
internal import Reports

/// Makes reports of what a run of checks left; nothing is rendered or judged again.
struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Make reports from the folder that galley check left.",
    discussion: "Paths to pictures in reports are relative to the present folder where they lie below it.")

  @Argument(help: ArgumentHelp("The folder with report.json.", valueName: "folder")) var folder: String
  @OptionGroup(title: "Reports") var reports: ReportOptions

  func validate() throws {
    if reports.isEmpty { throw ValidationError("name at least one report, such as --html report.html") }
  }

  func run() async throws {
    let source = try ReportSource.read(folder: folder, workingFolder: FileManager.default.currentDirectoryPath)
    try await ReportWriter(options: reports, console: .output).write(source)
  }
}
