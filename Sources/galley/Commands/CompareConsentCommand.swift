internal import Application
internal import ArgumentParser
internal import Core
internal import Terminal
internal import Workers

/// Renders creatives once for each possible answer on tracking, and prints the parties that they sent requests to.
struct CompareConsentCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare-consent",
    abstract: "Render creatives with consent granted, refused and undecided, and compare their requests.",
    discussion: """
      Each creative is rendered four times, into NAME/STATE below --out: without a consent API, and with TCF, GPP and \
      US Privacy reporting that the user granted, refused or hasn't answered yet. This command makes no findings: use \
      'galley check --consent refused'.
      """)

  @Argument(
    help: ArgumentHelp("HTML files, folders, zips, http(s) URLs or - for standard input.", valueName: "creative"))
  var creatives: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for results.", valueName: "folder"))
  var out = "galley-consent"

  @Option(
    help: ArgumentHelp(
      "The scenario for every creative; none also ignores a creative's own scenario.", valueName: "file"))
  var scenario: String?

  @Flag(name: .shortAndLong, help: "Search folders for creatives.") var recursive = false
  @Option(help: ArgumentHelp("Write an HTML page with the results that works offline.", valueName: "file")) var html:
    String?
  @OptionGroup(title: "Device") var device: DeviceOptions
  @OptionGroup(title: "Placement") var placement: PlacementOptions
  @OptionGroup(title: "Container") var container: ContainerOptions
  @OptionGroup(title: "Rendering") var rendering: RenderingOptions
  @OptionGroup(title: "Project") var project: ProjectOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    if rendering.network.consent != nil {
      throw ValidationError("compare-consent renders with every state of consent: leave out --consent")
    }
    if placement.feed != nil { throw ValidationError("compare-consent takes creatives: leave out --feed") }
  }

  func run() async throws {
    let resolved = try device.resolved()
    let given = try scenario.map { path throws(Fault) in try ScenarioFile(path: path, name: path).read() }
    let planner = BatchPlanner(
      out: out,
      template: rendering.template(
        resolved, device, placement, try container.resolved(), measures: true), scenario: given)
    let plan = try planner.plan(creatives, recursive: recursive, spool: StandardInputSpool.fill)
    let settings = try rendering.pool()
    let read = device.files + container.files + [project.policy, rendering.traffic.replay]
    try NamedOutput.check([html], of: plan, settings, besides: read)
    let jobs = try ConsentRun.jobs(of: plan)
    let live = LiveProgress(names: jobs.names, shows: !output.quiet)
    let run = ConsentRun(jobs: jobs, settings: settings)
    guard let verdicts = await run.run(onProgress: live.handleProgress) else { throw ExitStatus.interrupted }
    let status = ExitStatus(worstOf: verdicts.map { ExitStatus(records: $0.runs.map(\.record), refusal: $0.refusal) })
    let reporter = VaryingReporter(output: output, out: plan.out)
    if let html { try DiffPageFile(path: html).write(reporter.page(verdicts)) }
    try reporter.printMessage(verdicts, status: status)
    throw status
  }
}

extension CompareConsentCommand: ProjectCommand {
  static var takesDevices: Bool { false }
  var subjects: [String] { creatives }
  var searches: Bool { recursive }
  var projectFile: String? { project.policy }
}
