internal import ArgumentParser
internal import Core
internal import Jobs
internal import MRAID
internal import Workers

/// Renders creatives and leaves pictures, events and a record of each.
struct RenderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Render creatives and keep a picture of every state.",
    discussion: """
      Each creative gets a folder below --out with screenshots, events.ndjson and result.json. A scenario.yaml in a \
      creative's folder or zip, or NAME.scenario.yaml beside NAME.html, is played unless --scenario says otherwise. \
      With several --device each creative gets a folder for each of them.

      \(ExitStatus.help)
      """)

  @Argument(
    help: ArgumentHelp("HTML files, folders, zips, http(s) URLs or - for standard input.", valueName: "creative"))
  var creatives: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for results.", valueName: "folder"))
  var out = "galley-out"

  @Option(help: ArgumentHelp("The scenario every creative is put through.", valueName: "file"))
  var scenario: String?

  @Flag(name: .shortAndLong, help: "Search folders for creatives.") var recursive = false
  @OptionGroup(title: "Device") var device: DeviceOptions
  @OptionGroup(title: "Placement") var placement: PlacementOptions
  @OptionGroup(title: "Container") var container: ContainerOptions
  @OptionGroup(title: "Instants") var capture: CaptureOptions
  @OptionGroup(title: "Exploring") var exploring: ExploreOptions
  @OptionGroup(title: "Rendering") var rendering: RenderingOptions
  @OptionGroup(title: "Sharding") var sharding: ShardOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    if exploring.explore, scenario != nil {
      throw ValidationError("--explore finds its own way: it takes no --scenario")
    }
    let captures = capture.captures
    if placement.feed != nil {
      if exploring.explore { throw FeedRefusal.explore }
      if !captures.isEmpty { throw FeedRefusal.instants }
      if sharding.shard != nil { throw FeedRefusal.shard }
      if rendering.measure { throw FeedRefusal.measure }
    }
    guard !captures.isEmpty else { return }
    if exploring.explore {
      throw ValidationError("--at and --filmstrip take an ad that is left alone: not with --explore")
    }
    if rendering.time.clock == .real, captures.end >= rendering.limits.timeout {
      throw ValidationError("--clock real comes to \(captures.end.plain) s only with a longer --timeout")
    }
  }

  func run() async throws {
    let devices = try device.devices()
    let given = try scenario.map { path throws(Fault) in try ScenarioFile(path: path, name: path).read() }
    let profile = try container.resolved()
    let executable = try Executables.worker()
    let settings = PoolSettings(executable: executable, capacity: rendering.limits.jobs)
    let planner = BatchPlanner(
      out: out, device: devices[0], orientation: device.orientation, placement: placement, scenario: given,
      container: profile, limits: rendering.limits.limits, options: rendering.options(capture.captures),
      explores: exploring.explore, shard: sharding.shard)
    let found = try planner.plan(creatives, recursive: recursive, spool: StandardInputSpool.fill)
    let plan = try found.crossed(with: devices)
    if exploring.explore {
      throw try await ExplorationBatch(plan: plan, settings: settings, budget: exploring.budget, output: output).run()
    }
    throw try await Batch(plan: plan, settings: settings, output: output).run()
  }
}
