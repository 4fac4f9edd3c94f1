internal import Application
internal import ArgumentParser
internal import Comparison
internal import Core
internal import FoundationEssentials
internal import Glibc
internal import Terminal

/// Compares two pictures, or two folders of results with their event logs.
struct DiffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compare two pictures, or two folders that renders left.",
    discussion: """
      Folders are compared result by result, pictures by name, and the event logs as well: what was added, lost, \
      moved or changed, whatever the times.

      Exit codes: 0 the same, 1 different, 2 wrong usage or an unreadable picture, 3 Galley or the machine failed.
      """)

  @Argument(help: "A PNG file, or a folder of results.") var first: String
  @Argument(help: "What to compare it with, of the same kind.") var second: String

  @Option(name: .shortAndLong, help: ArgumentHelp("A folder for diff pictures.", valueName: "folder"))
  var out: String?

  @Option(help: ArgumentHelp("A page to look at, which needs no network.", valueName: "file"))
  var html: String?

  @Flag(help: "Compare pictures only.") var screenshotsOnly = false
  @OptionGroup(title: "Comparison") var comparison: ComparisonArguments
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    var pictures = out.map { DiffImages(folder: $0) }
    if pictures == nil, html != nil { pictures = DiffImages(folder: try ScratchFolder.make(), isBrief: true) }
    let comparer = ResultComparer(
      options: comparison.options, budget: comparison.budget, comparesEvents: !screenshotsOnly
    ) { [pictures] (screenshot, result) throws(Fault) in try pictures?.write(&screenshot, below: result) }
    var results = try await DiffSides(first: first, second: second).compare(comparer)
    if let html {
      try DiffPageFile(path: html).write(DiffPage(first: first, second: second, results: results))
      if out == nil { Self.forgetScreenshots(&results) }
    }
    let report = DiffReport(first: first, second: second, results: results, pictures: out)
    try DiffReporter(output: output, console: .output).printMessage(report)
    throw report.status
  }

  /// What was drawn for the page alone is gone when it is written.
  private static func forgetScreenshots(_ results: inout [ResultVerdict]) {
    for result in results.indices {
      for screenshot in results[result].pictures.indices { results[result].pictures[screenshot].written = [:] }
    }
  }
}
