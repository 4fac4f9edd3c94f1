internal import Application
internal import ArgumentParser
internal import Core
internal import Recordings
internal import Terminal
internal import Workers

/// Renders creatives on several networks and without single hosts, and prints load times and remaining content.
struct CompareNetworksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare-networks", abstract: "Render creatives on slow networks and without each of their hosts.",
    discussion: """
      Each creative is rendered with the network as it is and with each profile, into NAME/PROFILE below --out, and \
      once without each host that it requests. Load times end at four events: DOMContentLoaded, one second later, the \
      window's load event, and readyState complete. A creative's own files load at once in every profile. Use --replay \
      for the same responses in each render. This command makes no findings: use 'galley check --without-hosts'.
      """)

  @Argument(
    help: ArgumentHelp("HTML files, folders, zips, http(s) URLs or - for standard input.", valueName: "creative"))
  var creatives: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for results.", valueName: "folder"))
  var out = "galley-networks"

  @Option(
    help: ArgumentHelp(
      "A network to compare, written as for --network-profile; repeatable (default: 4g, 3g, slow-3g, slow-wifi).",
      valueName: "profile"),
    completion: .list(NetworkProfile.names))
  var profile: [String] = []

  @Option(help: ArgumentHelp("Number of hosts to remove, one per render, busiest first.", valueName: "number"))
  var withoutHosts = 6

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
    if rendering.traffic.networkProfile != nil {
      throw ValidationError("compare-networks takes networks with --profile: leave out --network-profile")
    }
    if rendering.traffic.record != nil {
      throw ValidationError(
        "compare-networks can't record: use galley render --record, then --replay the recording here")
    }
    if placement.feed != nil { throw ValidationError("compare-networks takes creatives: leave out --feed") }
    guard (0...20).contains(withoutHosts) else { throw ValidationError("--without-hosts must be from 0 to 20") }
    do {
      for name in profile { _ = try NetworkProfile(parsing: name) }
    } catch {
      throw ValidationError(error.message)
    }
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
    let networks = profile.isEmpty ? ["4g", "3g", "slow-3g", "slow-wifi"] : profile
    let jobs = try NetworkRun.jobs(of: plan, profiles: networks)
    let live = LiveProgress(names: jobs.names, shows: !output.quiet)
    let run = NetworkRun(jobs: jobs, settings: settings, mostHosts: withoutHosts)
    guard let verdicts = try await run.run(onProgress: live.handleProgress) else { throw ExitStatus.interrupted }
    // What a slow network or a missing host does to an ad is what was asked, and no failure of the call.
    let status = ExitStatus(
      worstOf: verdicts.map { ExitStatus(records: $0.runs.prefix(1).map(\.record), refusal: $0.refusal) })
    let reporter = VaryingReporter(output: output, out: plan.out)
    if let html { try DiffPageFile(path: html).write(reporter.page(verdicts)) }
    try reporter.printMessage(verdicts, status: status)
    throw status
  }
}

extension CompareNetworksCommand: ProjectCommand {
  static var takesDevices: Bool { false }
  var subjects: [String] { creatives }
  var searches: Bool { recursive }
  var projectFile: String? { project.policy }
}
