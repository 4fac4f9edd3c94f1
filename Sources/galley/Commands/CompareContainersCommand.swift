internal import Application
internal import ArgumentParser
internal import Comparison
internal import Core
internal import MRAID
internal import Terminal
internal import Workers

/// Renders creatives in every container and prints the differences from the standard's container.
struct CompareContainersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare-containers",
    abstract: "Render creatives in the container of each SDK, and compare the results.",
    discussion: """
      Each creative is rendered once in each container, into NAME/CONTAINER below --out, and compared with its render \
      in the standard's container: states, events, screenshots. This command makes no findings: the exit code is 0 \
      even if results differ. If a creative fails in all containers, the exit code is that of 'galley render'.
      """)

  @Argument(
    help: ArgumentHelp("HTML files, folders, zips, http(s) URLs or - for standard input.", valueName: "creative"))
  var creatives: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for results.", valueName: "folder"))
  var out = "galley-containers"

  @Option(
    help: ArgumentHelp(
      "A container to compare, or a .json file; repeatable (default: all).", valueName: "name"),
    completion: .list(ContainerCatalogue.standard.containers.map(\.name)))
  private var container: [String] = []

  @Option(
    help: ArgumentHelp(
      "The scenario for every creative; none also ignores a creative's own scenario.", valueName: "file"))
  var scenario: String?

  @Flag(name: .shortAndLong, help: "Search folders for creatives.") var recursive = false
  @Option(help: ArgumentHelp("Write an HTML page with the results that works offline.", valueName: "file")) var html:
    String?
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
      out: out, template: rendering.template(resolved, device, placement, nil), feed: placement.feed,
      scenario: given)
    let plan = try planner.plan(creatives, recursive: recursive, spool: StandardInputSpool.fill)
    let described: [String?] = container.filter { $0.hasSuffix(".json") }
    let read = device.files + described + [project.policy, rendering.traffic.replay]
    try NamedOutput.check([html], of: plan, settings, besides: read)
    let jobs = try JobVariants(plan: plan, containers: containers)
    let live = LiveProgress(names: jobs.names, shows: !output.quiet)
    let run = ContainerRun(jobs: jobs, settings: settings, comparer: comparison.comparer)
    guard let verdicts = try await run.run(onProgress: live.handleProgress) else { throw ExitStatus.interrupted }
    let status = ExitStatus(worstOf: verdicts.map { ExitStatus($0) })
    let reporter = ContainerReporter(output: output, out: plan.out)
    if let html { try DiffPageFile(path: html).write(reporter.page(verdicts)) }
    try reporter.printMessage(verdicts, status: status)
    throw status
  }

  /// Returns the standard's container, then the requested ones, each once.
  private func profiles() throws(Fault) -> [ContainerProfile] {
    guard !container.isEmpty else { return ContainerCatalogue.standard.containers.filter { !$0.isForPlayables } }
    var profiles = [ContainerProfile.spec]
    for name in container {
      let profile = try ContainerFile.named(name)
      guard profile.name == ContainerProfile.spec.name || !profiles.contains(where: { $0.name == profile.name }) else {
        throw .request("container-duplicate", "two containers have the name \(profile.name)")
      }
      if profile.name != ContainerProfile.spec.name { profiles.append(profile) }
    }
    return profiles
  }
}

extension CompareContainersCommand: ProjectCommand {
  static var takesDevices: Bool { false }
  var subjects: [String] { creatives }
  var searches: Bool { recursive }
  var projectFile: String? { project.policy }
}
