internal import ArgumentParser
internal import Comparison
internal import Jobs

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

  @Flag(help: "Compare pictures only.") var picturesOnly = false
  @OptionGroup(title: "Comparison") var comparison: ComparisonArguments
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let pictures = out.map(DiffPictures.init)
    let comparer = ResultComparer(
      options: comparison.options, budget: comparison.budget, comparesEvents: !picturesOnly
    ) { (picture, result) throws(Fault) in try pictures?.write(&picture, below: result) }
    let results = try await DiffSides(first: first, second: second).compare(comparer)
    let report = DiffReport(first: first, second: second, results: results, pictures: out)
    try DiffReporter(output: output, console: .output).tell(report)
    throw report.status
  }
}
