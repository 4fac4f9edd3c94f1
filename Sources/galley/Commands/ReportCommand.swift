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

/// Makes reports from the results of a run of checks; nothing is rendered or judged again.
struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Write reports from the results of galley check or galley render.",
    discussion: """
      Reports refer to images relative to the current folder if they lie below it. Results of galley render have no \
      verdicts, so only --html and --pdf accept them.
      """)

  @Argument(help: ArgumentHelp("The folder with report.json, or with results.", valueName: "folder")) var folder: String
  @OptionGroup(title: "Reports") var reports: ReportOptions

  func validate() throws {
    if reports.isEmpty { throw ValidationError("name at least one report, such as --html report.html") }
  }

  func run() async throws {
    try reports.check(apartFrom: CallInputs(results: [folder]))
    let present = FileManager.default.currentDirectoryPath
    let source =
      reports.isForPeople
      ? try ReportSource.results(in: folder, workingFolder: present)
      : try ReportSource.read(folder: folder, workingFolder: present)
    if !source.leftOut.isEmpty {
      Console.error.write("left out, as they aren't of the last render: \(source.leftOut.listed)\n")
    }
    try await ReportWriter(options: reports, console: .output).write(source)
  }
}

/// Merges the results of a batch's shards into those of an unsharded run.
struct MergeReportsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge-reports", abstract: "Join the results of a batch's shards.",
    discussion: """
      The --out folder receives every result and one report.json, as from an unsharded run. Exit codes are those of \
      galley check for the whole batch.
      """)

  @Argument(help: ArgumentHelp("The folders with report.json, one per shard.", valueName: "folder"))
  var folders: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for the joined results.", valueName: "folder")) var out:
    String
  @OptionGroup(title: "Reports") var reports: ReportOptions

  func run() async throws {
    try reports.check(apartFrom: CallInputs(results: folders + [out]))
    let present = FileManager.default.currentDirectoryPath
    let parts = try folders.map { try ReportSource.read(folder: $0, workingFolder: present) }
    try ReportMerger(out: out).merge(parts)
    let whole = try ReportSource.read(folder: out, workingFolder: present)
    try Console.output.printMessage(CheckReporter.counts(whole.report, out: out) + "\n")
    try await ReportWriter(options: reports, console: .output).write(whole)
    throw ExitStatus(worstOf: whole.report.creatives.map { ExitStatus($0) })
  }
}

/// Options for the formats and files of reports.
struct ReportOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Write JUnit XML, with screenshots as attachments.", valueName: "file")) var junit: String?
  @Option(help: ArgumentHelp("Write SARIF 2.1.0.", valueName: "file")) var sarif: String?
  @Option(help: ArgumentHelp("Write a CTRF document.", valueName: "file")) var ctrf: String?
  @Option(help: ArgumentHelp("Write the requests as a HAR 1.2 archive.", valueName: "file")) var har: String?
  @Option(help: ArgumentHelp("Write one self-contained HTML page.", valueName: "file")) var html: String?
  @Option(help: ArgumentHelp("Write a PDF with screenshots and verdicts.", valueName: "file"))
  var pdf: String?

  @Flag(help: "Print annotations for GitHub Actions, and write the step summary.") var github = false

  func validate() throws {
    let names = ["--junit", "--sarif", "--ctrf", "--har", "--html", "--pdf"]
    if let (name, _) = zip(names, files).first(where: { $0.1 == "-" || $0.1 == "" }) {
      throw ValidationError("\(name) needs a file name")
    }
  }

  /// Indicates if no report was requested.
  var isEmpty: Bool { !github && files.allSatisfy { $0 == nil } }

  /// Requested files in the order of the formats; nil for a format that wasn't requested.
  var files: [String?] { [junit, sarif, ctrf, har, html, pdf] }

  /// Rejects outputs that can't be written, before anything is rendered for them.
  func check(apartFrom inputs: CallInputs) throws(Fault) {
    try NamedOutput.check(files, apartFrom: inputs)
    try prepare()
  }

  /// Rejects formats whose program is missing.
  func prepare() throws(Fault) {
    if pdf != nil { try FilmProgram.require() }
  }

  /// Indicates if all requested formats support renders without verdicts.
  var isForPeople: Bool { !github && [junit, sarif, ctrf, har].allSatisfy { $0 == nil } }
}

/// Output files that a call names.
enum NamedOutput {
  /// Rejects files that can't be written, that would replace an input of the call, or that are named twice.
  ///
  /// The error is the same as that of writing the file at the end.
  static func check(_ outputs: [String?], apartFrom inputs: CallInputs) throws(Fault) {
    let paths = outputs.compactMap(\.self)
    for path in paths {
      try inputs.check(file: path)
      do throws(SystemError) { try OutputFile.check(path) } catch { throw .writing(path, error, isNamed: true) }
    }
    try CallInputs.check(apart: paths)
  }

  /// Rejects outputs of a call with a plan in the same way, including the recordings that it makes.
  ///
  /// `files` are the files that the call reads in addition to its creatives.
  static func check(
    _ outputs: [String?], of plan: BatchPlan, _ settings: PoolSettings, besides files: [String?]
  ) throws(Fault) {
    let inputs = plan.inputs(besides: files)
    let recordings = settings.recordings?.files(for: plan.jobs) ?? []
    for recording in recordings { try inputs.check(file: recording) }
    try check(outputs, apartFrom: inputs)
    try CallInputs.check(apart: outputs.compactMap(\.self) + Set(recordings).sorted())
  }

  /// Prints the path and size of a file that was written.
  static func tell(_ path: String) {
    guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
      facts[.type] as? FileAttributeType == .typeRegular
    else { return }
    let size = (facts[.size] as? UInt64).map { Int(clamping: $0) } ?? 0
    Console.error.write("wrote \(path.printable), \(BaselineReporter.size(size))\n")
  }
}

/// Writes the requested reports.
struct ReportWriter {
  let options: ReportOptions
  /// Stream for annotations: GitHub reads both, and standard output may carry another document.
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
