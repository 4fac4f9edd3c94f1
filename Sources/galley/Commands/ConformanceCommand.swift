internal import Application
internal import ArgumentParser
internal import Core
internal import FoundationEssentials
internal import MRAID
internal import RenderModel
internal import Terminal
internal import Workers

/// Renders the conformance suite and prints the results for each rule of MRAID and of playables' hosts.
struct ConformanceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conformance", abstract: "Render the conformance suite for the containers and print the results.",
    discussion: """
      Each creative of Creatives/conformance tests one rule of MRAID or of a playables' host, in the container that it \
      names, and prints its assertions in TAP. Exit codes: 0 all hold, \
      1 one or more fail, 2 wrong usage, 3 Galley or the machine failed, 130 interrupted.
      """, aliases: ["selftest"])

  @Option(help: ArgumentHelp("Another folder with creatives of the suite's form.", valueName: "folder"))
  var suite: String?

  @Option(help: ArgumentHelp("Only rules and creatives whose names contain this text.", valueName: "text"))
  var filter: String?

  @Option(help: ArgumentHelp("Only this section.", valueName: "number")) var section: Int?

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for screenshots and logs.", valueName: "folder"))
  var out: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Creatives rendered at the same time (default: one per core).", valueName: "number")
  )
  private var jobs = ProcessInfo.processInfo.activeProcessorCount

  @Option(help: "Resources that creatives don't share.") var isolation = RenderOptions.Isolation.session
  @Option(help: "The creatives' clock: virtual, which never waits, or real, the machine's.")
  var clock = RenderOptions.Clock.real
  @Option(help: .hidden) var bridge: String?
  @Flag(help: "Print one JSON document and nothing else on standard output.") var json = false

  func validate() throws {
    guard (1...256).contains(jobs) else { throw ValidationError("--jobs must be from 1 to 256") }
    if let section, ConformanceSection(rawValue: section) == nil {
      throw ValidationError("--section must be from 1 to \(ConformanceSection.allCases.count)")
    }
  }

  func run() async throws {
    let folder = try SuiteFolder.find(suite)
    let cases = try chosen(folder.cases())
    let executable = try Executables.worker()
    let results = try out.map { AbsolutePath.written($0) } ?? ScratchFolder.make()
    try ResultFolder(results).create()
    let jobs = try SuiteJobs(
      suite: folder, out: results, limits: Limits(timeout: Self.timeout),
      options: RenderOptions(
        isolation: isolation, network: .none, clock: clock, bridge: try bridge.flatMap(BridgeFile.read)),
      takesScreenshot: out != nil
    ).jobs(cases)
    if out != nil {
      let inputs = CallInputs([CreativeReference(argument: folder.path, path: folder.path, name: "")])
      for job in jobs { try inputs.check(results: job.output) }
    }
    let settings = PoolSettings(executable: executable, capacity: self.jobs)
    let outcome = await ConformanceRun(cases: cases, jobs: jobs, settings: settings).run(
      onProgress: LiveProgress(names: cases.map(\.name), shows: true).handleProgress)
    try ConformanceReporter(json: json).printMessage(outcome)
    throw outcome.interrupted ? ExitStatus.interrupted : outcome.report.failed == 0 ? .pass : .findings
  }

  /// Time limit of a creative in seconds; each normally ends within a fraction of it.
  private static let timeout = 20.0

  private func chosen(_ cases: [ConformanceCase]) throws(Fault) -> [ConformanceCase] {
    let text = filter?.lowercased() ?? ""
    let chosen = cases.filter { subject in
      (section == nil || subject.section.rawValue == section)
        && (text.isEmpty || "\(subject.name) \(subject.rule)".lowercased().contains(text))
    }
    guard !chosen.isEmpty else {
      throw .request("selection-empty", "these options select no creative of the suite")
    }
    return chosen
  }
}
