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
    commandName: "diff", abstract: "Compare two images, or two folders of results.",
    discussion: """
      Folders are compared result by result: screenshots by name, and event logs by added, missing, moved and changed \
      events; their times don't count.

      Exit codes: 0 the same, 1 different, 2 wrong usage or an unreadable image, 3 Galley or the machine failed.
      """)

  @Argument(help: "A PNG file, or a folder of results.") var first: String
  @Argument(help: "The image or folder to compare with the first.") var second: String

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for diff images.", valueName: "folder"))
  var out: String?

  @Option(help: ArgumentHelp("Write an HTML page with the results that works offline.", valueName: "file"))
  var html: String?

  @Flag(help: "Compare screenshots only.") var screenshotsOnly = false
  @OptionGroup(title: "Comparison") var comparison: ComparisonArguments
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let inputs = CallInputs(files: [first, second], results: [first, second])
    try NamedOutput.check([html], apartFrom: inputs)
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

  /// Removes the paths of diff pictures that were drawn for the page alone and aren't kept.
  private static func forgetScreenshots(_ results: inout [ResultVerdict]) {
    for result in results.indices {
      for screenshot in results[result].pictures.indices { results[result].pictures[screenshot].written = [:] }
    }
  }
}
