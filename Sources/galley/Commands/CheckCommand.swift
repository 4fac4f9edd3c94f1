internal import Application
internal import ArgumentParser
internal import Checks
internal import Core
internal import Device
internal import Foundation
internal import RenderModel
internal import Reports
internal import Terminal
internal import Workers

/// Renders creatives and judges them.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Render creatives and judge them by checks and networks' rules.",
    discussion: """
      Renders as galley render does, with a scenario or --explore, and judges what it finds. --out gets the results \
      and report.json. 'galley checks' lists the checks. With --feed every ad of the feed is judged.

      Exit codes: 0 all passed, 1 findings, 2 wrong usage, 3 Galley or the machine failed, 4 a deadline passed, \
      130 interrupted. With several creatives the first of 130, 3, 4, 2, 1 that applies.
      """)

  @Argument(
    help: ArgumentHelp("HTML files, folders, zips, http(s) URLs or - for standard input.", valueName: "creative"))
  var creatives: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for results.", valueName: "folder"))
  var out = "galley-out"

  @Option(help: ArgumentHelp("The scenario every creative is put through.", valueName: "file"))
  var scenario: String?

  @Flag(name: .shortAndLong, help: "Search folders for creatives.") var recursive = false
  @Flag(help: "Say what would be rendered, and render nothing.") var list = false
  @Option(
    help: ArgumentHelp(
      "Render once more without each of so many hosts that the ad asks, busiest first, and judge what is left of it.",
      valueName: "number"))
  var withoutHosts = 0
  @OptionGroup(title: "Queue") var queue: QueueOptions
  @OptionGroup(title: "Rules") var rules: CheckOptions
  @OptionGroup(title: "Device") var device: DeviceOptions
  @OptionGroup(title: "Placement") var placement: PlacementOptions
  @OptionGroup(title: "Container") var container: ContainerOptions
  @OptionGroup(title: "Exploring") var exploring: ExploreOptions
  @OptionGroup(title: "Rendering") var rendering: RenderingOptions
  @OptionGroup(title: "Reports") var reports: ReportOptions
  @OptionGroup(title: "Trace") var tracing: TraceOptions
  @OptionGroup(title: "Sharding") var sharding: ShardOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    if exploring.explore, scenario != nil {
      throw ValidationError("--explore finds its own way: it takes no --scenario")
    }
    guard (0...20).contains(withoutHosts) else { throw ValidationError("--without-hosts must be from 0 to 20") }
    guard withoutHosts == 0 || (queue.queue == nil && placement.feed == nil && !exploring.explore) else {
      throw ValidationError("--without-hosts goes without --queue, --feed and --explore")
    }
    guard placement.feed != nil else { return }
    if exploring.explore { throw FeedRefusal.explore }
    if sharding.shard != nil { throw FeedRefusal.shard }
  }

  func run() async throws {
    let file = try PolicyFile(named: rules.policy, creatives: creatives)
    let profiles = try file.profiles(asked: rules.profileNames)
    let devices = try device.devices()
    let planner = try planner(devices[0])
    if list { throw try planner.printList(of: creatives, recursive: recursive, on: devices, output) }
    let found = try planner.plan(creatives, recursive: recursive, spool: StandardInputSpool.fill)
    let plan = try found.crossed(with: devices)
    try tracing.check(plan)
    let run = CheckRun(
      plan: plan, settings: try rendering.pool(queue), budget: exploring.explore ? exploring.budget : nil,
      judge: ResultChecker(policy: file.policy, profiles: profiles), mostHosts: withoutHosts)
    let progress = CheckProgress(plan: plan, output: output, console: .error)
    let (report, interrupted) = try await run.run(onProgress: progress.handleProgress, done: progress.end)
    try CheckReporter(output: output, console: .output, out: out).printMessage(report)
    if !reports.isEmpty {
      let source = try ReportSource.read(folder: out, workingFolder: FileManager.default.currentDirectoryPath)
      try await ReportWriter(options: reports, console: output.json ? .error : .output).write(source)
    }
    try tracing.write(plan)
    throw ExitStatus(worstOf: report.creatives.map { ExitStatus($0) } + (interrupted ? [.interrupted] : []))
  }

  private func planner(_ device: Device) throws(Fault) -> BatchPlanner {
    let given = try scenario.map { path throws(Fault) in try ScenarioFile(path: path, name: path).read() }
    let template = rendering.template(
      device, self.device.orientation, placement, try container.resolved(), measures: true)
    return BatchPlanner(
      out: out, template: template, feed: placement.feed, scenario: given, explores: exploring.explore,
      shard: sharding.shard)
  }
}

extension CheckCommand: ProjectCommand {
  static var takesDevices: Bool { true }
  var subjects: [String] { creatives }
  var projectFile: String? { rules.policy }
}

/// By which rules creatives are judged.
struct CheckOptions: ParsableArguments {
  @Option(
    name: .customLong("profile"),
    help: ArgumentHelp(
      "Networks whose rules to judge by, with commas between them, or all; a .json file describes one of your own.",
      valueName: "names"))
  private var profiles: String?

  @Option(help: ArgumentHelp("What the team agreed on (default: galley.yaml beside the creatives).", valueName: "file"))
  var policy: String?

  /// The names asked for; nil when nobody asked.
  var profileNames: [String]? {
    profiles?.split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace).description }
  }
}
