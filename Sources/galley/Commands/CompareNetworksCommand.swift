internal import Application
internal import ArgumentParser
internal import Core
internal import Recordings
internal import Terminal
internal import Workers

/// Renders creatives by several networks and without each of their hosts, and tells how they load and what is left.
struct CompareNetworksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare-networks", abstract: "Render creatives by slow networks and without each of their hosts.",
    discussion: """
      Each creative is rendered as the network is and by each profile, into NAME/PROFILE below --out, and once without \
      each host that it asks. Loads end where four rules have it: DOMContentLoaded, a second later, the window's load \
      event, and readyState complete. Give --replay, and the network is the same each time. Nothing is judged: \
      'galley check --without-hosts' does that.
      """)

  @Argument(
    help: ArgumentHelp("HTML files, folders, zips, http(s) URLs or - for standard input.", valueName: "creative"))
  var creatives: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for results.", valueName: "folder"))
  var out = "galley-networks"

  @Option(
    help: ArgumentHelp(
      "A network to compare, as --network-profile has them; may be given often (default: 4g, 3g, slow-3g, slow-wifi).",
      valueName: "profile"))
  var profile: [String] = []

  @Option(help: ArgumentHelp("Hosts that are taken away one after the other, busiest first.", valueName: "number"))
  var withoutHosts = 6

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
    if rendering.traffic.networkProfile != nil {
      throw ValidationError("compare-networks takes its networks with --profile, not with --network-profile")
    }
    if rendering.traffic.record != nil {
      throw ValidationError(
        "compare-networks renders by several networks: record with galley render, then --replay that")
    }
    if placement.feed != nil { throw ValidationError("compare-networks takes creatives, not a --feed") }
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
        resolved, device.orientation, placement, try container.resolved(), measures: true), scenario: given)
    let plan = try planner.plan(creatives, recursive: recursive, spool: StandardInputSpool.fill)
    let networks = profile.isEmpty ? ["4g", "3g", "slow-3g", "slow-wifi"] : profile
    let jobs = try NetworkRun.jobs(of: plan, profiles: networks)
    let live = LiveProgress(names: jobs.names, shows: !output.quiet)
    let run = NetworkRun(jobs: jobs, settings: try rendering.pool(), mostHosts: withoutHosts)
    guard let verdicts = try await run.run(onProgress: live.handleProgress) else { throw ExitStatus.interrupted }
    // What a slow network or a missing host does to an ad is what was asked, and no failure of the call.
    let status = ExitStatus(
      worstOf: verdicts.map { ExitStatus(records: $0.runs.prefix(1).map(\.record), refusal: $0.refusal) })
    try VaryingReporter(output: output, out: plan.out).printMessage(verdicts, status: status)
    throw status
  }
}

extension CompareNetworksCommand: ProjectCommand {
  static var takesDevices: Bool { false }
  var subjects: [String] { creatives }
  var projectFile: String? { project.policy }
}
