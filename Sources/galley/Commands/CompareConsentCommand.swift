internal import Application
internal import ArgumentParser
internal import Core
internal import Terminal
internal import Workers

/// Renders creatives once for each thing a person may have said to being tracked, and tells whom they asked.
struct CompareConsentCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare-consent",
    abstract: "Render creatives with consent granted, refused and undecided, and compare whom they ask.",
    discussion: """
      Each creative is rendered four times, into NAME/STATE below --out: told nothing, and told by TCF, GPP and US \
      Privacy that the person granted, refused or hasn't answered yet. Nothing is judged: 'galley check --consent \
      refused' does that.
      """)

  @Argument(
    help: ArgumentHelp("HTML files, folders, zips, http(s) URLs or - for standard input.", valueName: "creative"))
  var creatives: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for results.", valueName: "folder"))
  var out = "galley-consent"

  @Option(help: ArgumentHelp("The scenario every creative is put through.", valueName: "file"))
  var scenario: String?

  @Flag(name: .shortAndLong, help: "Search folders for creatives.") var recursive = false
  @OptionGroup(title: "Device") var device: DeviceOptions
  @OptionGroup(title: "Placement") var placement: PlacementOptions
  @OptionGroup(title: "Container") var container: ContainerOptions
  @OptionGroup(title: "Rendering") var rendering: RenderingOptions
  @OptionGroup(title: "Project") var project: ProjectOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    if rendering.network.consent != nil {
      throw ValidationError("compare-consent takes every state: leave --consent out")
    }
    if placement.feed != nil { throw ValidationError("compare-consent takes creatives, not a --feed") }
  }

  func run() async throws {
    let resolved = try device.resolved()
    let given = try scenario.map { path throws(Fault) in try ScenarioFile(path: path, name: path).read() }
    let planner = BatchPlanner(
      out: out,
      template: rendering.template(
        resolved, device.orientation, placement, try container.resolved(), measures: true), scenario: given)
    let plan = try planner.plan(creatives, recursive: recursive, spool: StandardInputSpool.fill)
    let jobs = try ConsentRun.jobs(of: plan)
    let live = LiveProgress(names: jobs.names, shows: !output.quiet)
    let run = ConsentRun(jobs: jobs, settings: try rendering.pool())
    guard let verdicts = await run.run(onProgress: live.handleProgress) else { throw ExitStatus.interrupted }
    let status = ExitStatus(worstOf: verdicts.map { ExitStatus(records: $0.runs.map(\.record), refusal: $0.refusal) })
    try VaryingReporter(output: output, out: plan.out).printMessage(verdicts, status: status)
    throw status
  }
}

extension CompareConsentCommand: ProjectCommand {
  static var takesDevices: Bool { false }
  var subjects: [String] { creatives }
  var projectFile: String? { project.policy }
}
