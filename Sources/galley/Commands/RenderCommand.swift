internal import Application
internal import ArgumentParser
internal import Core
internal import Device
internal import Exploration
internal import RenderModel
internal import Terminal
internal import Workers

/// Renders creatives and stores screenshots, events and a record of each.
struct RenderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Render creatives and store a screenshot of every state.",
    discussion: """
      Each creative gets a folder below --out with screenshots, events.ndjson and result.json. A scenario.yaml in a \
      creative's folder or zip, or NAME.scenario.yaml beside NAME.html, is used unless --scenario names another. With \
      several --device options each creative gets a folder per device.

      \(ExitStatus.help)
      """)

  @Argument(
    help: ArgumentHelp("HTML files, folders, zips, http(s) URLs or - for standard input.", valueName: "creative"))
  var creatives: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for results.", valueName: "folder"))
  var out = "galley-out"

  @Option(
    help: ArgumentHelp(
      "The scenario for every creative; none also ignores a creative's own scenario.", valueName: "file"))
  var scenario: String?

  @Flag(name: .shortAndLong, help: "Search folders for creatives.") var recursive = false
  @Flag(help: "List what would be rendered; render nothing.") var list = false
  @OptionGroup(title: "Device") var device: DeviceOptions
  @OptionGroup(title: "Placement") var placement: PlacementOptions
  @OptionGroup(title: "Container") var container: ContainerOptions
  @OptionGroup(title: "Instants") var capture: CaptureOptions
  @OptionGroup(title: "Exploring") var exploring: ExploreOptions
  @OptionGroup(title: "Rendering") var rendering: RenderingOptions
  @OptionGroup(title: "Queue") var queue: QueueOptions
  @OptionGroup(title: "Pictures") var pictures: PictureOptions
  @OptionGroup(title: "Trace") var tracing: TraceOptions
  @OptionGroup(title: "Sharding") var sharding: ShardOptions
  @OptionGroup(title: "Project") var project: ProjectOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    if exploring.explore, scenario != nil {
      throw ValidationError("--explore chooses its own steps: leave out --scenario")
    }
    if queue.queue != nil, placement.feed != nil {
      throw ValidationError("--feed renders on this machine: leave out --queue")
    }
    let captures = capture.captures
    if placement.feed != nil {
      if exploring.explore { throw FeedRefusal.explore }
      if !captures.isEmpty { throw FeedRefusal.instants }
      if sharding.shard != nil { throw FeedRefusal.shard }
      if rendering.measure { throw FeedRefusal.measure }
      if pictures.backup != nil { throw FeedRefusal.backup }
    }
    guard !captures.isEmpty else { return }
    if exploring.explore {
      throw ValidationError("--at and --filmstrip take screenshots of an ad without interaction: leave out --explore")
    }
    if rendering.time.clock == .real, captures.end >= rendering.limits.timeout {
      throw ValidationError(
        "with --clock real, --timeout must be longer than the last screenshot at \(captures.end.plain) s")
    }
  }

  func run() async throws {
    let devices = try device.devices()
    let given = try scenario.map { path throws(Fault) in try ScenarioFile(path: path, name: path).read() }
    let template = rendering.template(
      devices[0], device, placement, try container.resolved(), capture.captures)
    let settings = try rendering.pool(queue)
    let planner = BatchPlanner(
      out: out, template: template, feed: placement.feed, scenario: given, explores: exploring.explore,
      shard: sharding.shard)
    if list { throw try planner.printList(of: creatives, recursive: recursive, on: devices, output) }
    let found = try planner.plan(creatives, recursive: recursive, spool: StandardInputSpool.fill)
    let plan = try found.crossed(with: devices)
    try tracing.check(plan)
    let read = device.files + container.files + [project.policy, rendering.traffic.replay]
    try NamedOutput.check([tracing.trace], of: plan, settings, besides: read)
    try pictures.prepare()
    try plan.noteResults()
    let status =
      if exploring.explore {
        try await ExplorationBatch(plan: plan, settings: settings, budget: exploring.budget, output: output).run()
      } else {
        try await Batch(plan: plan, settings: settings, output: output).run()
      }
    try tracing.write(plan)
    let console: Console? = output.json || output.quiet ? nil : .output
    let pictured = try await pictures.write(plan, console: console, errors: .error)
    throw ExitStatus(worstOf: [status] + (pictured.map { [$0] } ?? []))
  }
}

/// Options for the times at which an ad is captured.
struct CaptureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Take screenshots at these seconds after the ad was shown, instead of one when it is at rest: 0,1,2,5,15,30.",
      valueName: "seconds,…"),
    transform: CaptureOptions.instants)
  var at: [Double] = []

  @Option(
    help: ArgumentHelp(
      "Take a screenshot of the ad at this interval, for a contact sheet and an animation.", valueName: "seconds")
  )
  var filmstrip: Double?

  @Option(help: ArgumentHelp("Length of the filmstrip (default: 15).", valueName: "seconds"))
  var filmstripLength: Double?

  func validate() throws {
    guard at.count <= CaptureSchedule.mostTimestamps else {
      throw ValidationError("--at takes at most \(CaptureSchedule.mostTimestamps) times")
    }
    if filmstripLength != nil, filmstrip == nil { throw ValidationError("--filmstrip-length requires --filmstrip") }
    guard let filmstrip else { return }
    guard (0.05...60).contains(filmstrip) else { throw ValidationError("--filmstrip must be from 0.05 to 60 seconds") }
    guard (filmstrip...300).contains(length) else {
      throw ValidationError("--filmstrip-length must be from the interval to 300 seconds")
    }
    guard length / filmstrip <= Double(CaptureSchedule.Filmstrip.mostFrames - 1) else {
      throw ValidationError(
        "a filmstrip has at most \(CaptureSchedule.Filmstrip.mostFrames) frames: choose a longer interval")
    }
  }

  var captures: CaptureSchedule {
    CaptureSchedule(instants: at, filmstrip: filmstrip.map { CaptureSchedule.Filmstrip(interval: $0, length: length) })
  }

  private var length: Double { filmstripLength ?? 15 }

  private static func instants(_ text: String) throws -> [Double] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0.trimmingSpace) }
    guard numbers.count == parts.count, numbers.allSatisfy((0...300).contains) else {
      throw ValidationError("'\(text)' isn't a list of times: write seconds from 0 to 300 like 0,1,2.5")
    }
    return numbers
  }
}

extension Substring {
  /// Text without spaces at either end.
  fileprivate var trimmingSpace: Substring {
    let body = drop { $0 == " " }
    return body.prefix(body.lastIndex { $0 != " " }.map { body.distance(from: body.startIndex, to: $0) + 1 } ?? 0)
  }
}

/// One run of `galley render`: runs the plan's jobs in a pool, with progress and a summary.
struct Batch: Sendable {
  let plan: BatchPlan
  let settings: PoolSettings
  let output: OutputOptions

  /// Renders everything and returns the exit status.
  func run() async throws(Fault) -> ExitStatus {
    let clock = ContinuousClock()
    let start = clock.now
    var reporter = BatchReporter(plan: plan, output: output, console: .output, errors: .error)
    reporter.begin()
    let (records, interrupted) = await PoolRun(settings: settings).render(plan.jobs) { reporter.handleProgress($0) }
    let result = BatchResult(
      plan: plan, finished: records, interrupted: interrupted, wall: start.duration(to: clock.now))
    try reporter.end(result)
    return result.status
  }
}

/// One run of `galley render --explore`: runs trials in a pool until nothing is left to try.
struct ExplorationBatch: Sendable {
  let plan: BatchPlan
  let settings: PoolSettings
  let budget: Budget
  let output: OutputOptions

  /// Explores everything and returns the exit status.
  func run() async throws(Fault) -> ExitStatus {
    let clock = ContinuousClock()
    let start = clock.now
    var reporter = ExplorationReporter(plan: plan, output: output, console: .output, errors: .error)
    let run = ExplorationRun(plan: plan, settings: settings, budget: budget)
    let (records, explored, interrupted) = try await run.explore { reporter.handleProgress($1, of: $0) }
    let result = BatchResult(
      plan: plan, finished: records, interrupted: interrupted, wall: start.duration(to: clock.now))
    try reporter.end(result, explored)
    let failed = explored.values.contains(where: \.engineFailed)
    return ExitStatus(worstOf: [result.status] + (failed ? [.engine] : []))
  }
}

extension RenderCommand: ProjectCommand {
  static var takesDevices: Bool { true }
  var subjects: [String] { creatives }
  var searches: Bool { recursive }
  var projectFile: String? { project.policy }
}
