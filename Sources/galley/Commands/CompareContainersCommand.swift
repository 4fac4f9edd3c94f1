internal import Application
internal import ArgumentParser
internal import Comparison
internal import Core
internal import MRAID
internal import Terminal
internal import Workers

/// Renders creatives in every container and tells what differs from the standard's.
struct CompareContainersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare-containers", abstract: "Render creatives as each SDK's container shows them, and compare.",
    discussion: """
      Each creative is rendered once in each container, into NAME/CONTAINER below --out, and compared with what the \
      standard's container makes of it: states, events, pictures. Nothing is judged: the exit code is 0 when they \
      differ, and what 'galley render' says when a creative fails in all of them.
      """)

  @Argument(
    help: ArgumentHelp("HTML files, folders, zips, http(s) URLs or - for standard input.", valueName: "creative"))
  var creatives: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for results.", valueName: "folder"))
  var out = "galley-containers"

  @Option(
    help: ArgumentHelp(
      "A container to compare, or a .json file; may be given often (default: all).", valueName: "name"))
  private var container: [String] = []

  @Option(help: ArgumentHelp("The scenario every creative is put through.", valueName: "file"))
  var scenario: String?

  @Flag(name: .shortAndLong, help: "Search folders for creatives.") var recursive = false
  @OptionGroup(title: "Device") var device: DeviceOptions
  @OptionGroup(title: "Placement") var placement: PlacementOptions
  @OptionGroup(title: "Rendering") var rendering: RenderingOptions
  @OptionGroup(title: "Comparison") var comparison: ComparisonArguments
  @OptionGroup(title: "Project") var project: ProjectOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let containers = try profiles()
    let resolved = try device.resolved()
    let given = try scenario.map { path throws(Fault) in try ScenarioFile(path: path, name: path).read() }
    let settings = try rendering.pool()
    let planner = BatchPlanner(
      out: out, template: rendering.template(resolved, device.orientation, placement, nil), feed: placement.feed,
      scenario: given)
    let plan = try planner.plan(creatives, recursive: recursive, spool: StandardInputSpool.fill)
    let jobs = try VariedJobs(plan: plan, containers: containers)
    let live = LiveProgress(names: jobs.names, shows: !output.quiet)
    let run = ContainerRun(jobs: jobs, settings: settings, comparer: comparison.comparer)
    guard let verdicts = try await run.run(onProgress: live.handleProgress) else { throw ExitStatus.interrupted }
    let status = ExitStatus(worstOf: verdicts.map { ExitStatus($0) })
    try ContainerReporter(output: output, out: plan.out).printMessage(verdicts, status: status)
    throw status
  }

  /// The standard, then those asked for, each once.
  private func profiles() throws(Fault) -> [ContainerProfile] {
    guard !container.isEmpty else { return ContainerCatalogue.standard.containers }
    var profiles = [ContainerProfile.spec]
    for name in container {
      let profile = try ContainerFile.named(name)
      guard profile.name == ContainerProfile.spec.name || !profiles.contains(where: { $0.name == profile.name }) else {
        throw .request("container-duplicate", "two containers are called \(profile.name)")
      }
      if profile.name != ContainerProfile.spec.name { profiles.append(profile) }
    }
    return profiles
  }
}

extension CompareContainersCommand: ProjectCommand {
  static var takesDevices: Bool { false }
  var subjects: [String] { creatives }
  var projectFile: String? { project.policy }
}
