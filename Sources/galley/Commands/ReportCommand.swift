internal import Application
internal import ArgumentParser
internal import Checks
internal import Core
internal import Files
internal import FoundationEssentials
internal import RenderModel
internal import Reports
internal import Terminal
internal import Workers

/// Makes reports of what a run of checks left; nothing is rendered or judged again.
struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Make reports from the folder that galley check or galley render left.",
    discussion: """
      Paths to pictures in reports are relative to the present folder where they lie below it. Of what galley render \
      left, which nobody judged, there are --html and --pdf.
      """)

  @Argument(help: ArgumentHelp("The folder with report.json, or with results.", valueName: "folder")) var folder: String
  @OptionGroup(title: "Reports") var reports: ReportOptions

  func validate() throws {
    if reports.isEmpty { throw ValidationError("name at least one report, such as --html report.html") }
  }

  func run() async throws {
    let present = FileManager.default.currentDirectoryPath
    let source =
      reports.isForPeople
      ? try ReportSource.results(in: folder, workingFolder: present)
      : try ReportSource.read(folder: folder, workingFolder: present)
    try await ReportWriter(options: reports, console: .output).write(source)
  }
}

/// Joins what the shards of a batch left into what one run would have.
struct MergeReportsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge-reports", abstract: "Join the folders that the shards of a batch left.",
    discussion: """
      The folder in --out gets every result and one report.json, as from an unsharded run. Exit codes are those of \
      galley check for the whole batch.
      """)

  @Argument(help: ArgumentHelp("The folders with report.json, one for each shard.", valueName: "folder"))
  var folders: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for the whole.", valueName: "folder")) var out: String
  @OptionGroup(title: "Reports") var reports: ReportOptions

  func run() async throws {
    let present = FileManager.default.currentDirectoryPath
    let parts = try folders.map { try ReportSource.read(folder: $0, workingFolder: present) }
    try ReportMerger(out: out).merge(parts)
    let whole = try ReportSource.read(folder: out, workingFolder: present)
    try Console.output.printMessage(CheckReporter.counts(whole.report, out: out) + "\n")
    try await ReportWriter(options: reports, console: .output).write(whole)
    throw ExitStatus(worstOf: whole.report.creatives.map { ExitStatus($0) })
  }
}

/// Where reports go, and in which formats.
struct ReportOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Write JUnit XML, with pictures as attachments.", valueName: "file")) var junit: String?
  @Option(help: ArgumentHelp("Write SARIF 2.1.0.", valueName: "file")) var sarif: String?
  @Option(help: ArgumentHelp("Write a CTRF document.", valueName: "file")) var ctrf: String?
  @Option(help: ArgumentHelp("Write the requests as a HAR 1.2 archive.", valueName: "file")) var har: String?
  @Option(help: ArgumentHelp("Write one self-contained HTML page.", valueName: "file")) var html: String?
  @Option(help: ArgumentHelp("Write pages of pictures, each with its verdict, as PDF.", valueName: "file"))
  var pdf: String?

  @Flag(help: "Print annotations for GitHub Actions, and write the step's summary.") var github = false

  func validate() throws {
    let files = [
      ("--junit", junit), ("--sarif", sarif), ("--ctrf", ctrf), ("--har", har), ("--html", html), ("--pdf", pdf),
    ]
    if let (name, _) = files.first(where: { $0.1 == "-" || $0.1 == "" }) {
      throw ValidationError("\(name) writes a file: give it a name")
    }
  }

  /// Whether any is asked for.
  var isEmpty: Bool { !github && [junit, sarif, ctrf, har, html, pdf].allSatisfy { $0 == nil } }

  /// Whether only those are asked for that can tell of renders which nobody judged.
  var isForPeople: Bool { !github && [junit, sarif, ctrf, har].allSatisfy { $0 == nil } }
}

/// Writes the reports that were asked for.
struct ReportWriter {
  let options: ReportOptions
  /// Where annotations go: GitHub reads both streams, and another document may be on the first.
  let console: Console
  var environment = ProcessInfo.processInfo.environment

  func write(_ source: ReportSource) async throws(Fault) {
    if let path = options.junit { try Self.write(try JUnitReport.text(source), to: path) }
    if let path = options.sarif { try Self.write(try SARIFReport.text(source), to: path) }
    if let path = options.ctrf { try Self.write(try CTRFReport.text(source), to: path) }
    if let path = options.har { try Self.write(try HARReport.text(source), to: path) }
    if let path = options.html { try Self.write(await HTMLReport.text(source), to: path) }
    if let path = options.pdf {
      let (plan, file) = (ContactReport.plan(source), AbsolutePath.written(path))
      try await FilmProgram.sheet(plan, to: file, by: try ScratchFolder.make())
    }
    if options.github { try writeToGitHub(source) }
  }

  private func writeToGitHub(_ source: ReportSource) throws(Fault) {
    try console.printMessage(commands: GitHubAnnotations.text(source))
    guard let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
    do throws(SystemError) {
      // Other programs of the step may have written to it before.
      try OutputFile.append(StepSummary.text(source), to: path)
    } catch {
      throw Fault.writing(path, error, isNamed: true)
    }
  }

  private static func write(_ text: String, to path: String) throws(Fault) {
    do throws(SystemError) {
      try OutputFile.write(text, to: path)
    } catch {
      throw Fault.writing(path, error, isNamed: true)
    }
  }
}
