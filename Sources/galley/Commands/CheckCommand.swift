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
    commandName: "check", abstract: "Render creatives and check them against rules of networks and standards.",
    discussion: """
      Renders like galley render, with a scenario or --explore, and checks the results. --out receives the results and \
      report.json. 'galley checks' lists the checks. With --feed every ad of the feed is checked.

      A network accepts an ad only if all of its rules were tried. With --strict a rule that wasn't tried is an error.

      With --playables every creative is a playable's build. It is explored in the host of each network. It has to be \
      accepted by the networks that its file or folder is named after, else by those that its code calls, else by all \
      chosen ones. The answers of other networks are information.

      Exit codes: 0 all passed, 1 findings, 2 wrong usage, 3 Galley or the machine failed, 4 a deadline passed, 130 \
      interrupted. With several creatives the first of 130, 3, 4, 2, 1 that applies.
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
  @Option(
    help: ArgumentHelp(
      "Render again without each of this many hosts, busiest first, and check each result.",
      valueName: "number"))
  var withoutHosts = 0
  @Flag(help: "Explore each playable in the hosts of all playables' networks, or of those of --profile.")
  var playables = false
  @Flag(help: "Record the way through each playable that leads furthest, for the HTML report; requires --playables.")
  var film = false
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
      throw ValidationError("--explore chooses its own steps: leave out --scenario")
    }
    if playables { try validatePlayables() }
    if film, !playables { throw ValidationError("--film requires --playables") }
    if film, rendering.time.clock == .real {
      throw ValidationError("--film requires --clock virtual, in which no frame is late")
    }
    guard (0...20).contains(withoutHosts) else { throw ValidationError("--without-hosts must be from 0 to 20") }
    guard withoutHosts == 0 || (queue.queue == nil && placement.feed == nil && !exploring.explore) else {
      throw ValidationError("--without-hosts can't be combined with --queue, --feed or --explore")
    }
    guard placement.feed != nil else { return }
    if exploring.explore { throw FeedRefusal.explore }
    if sharding.shard != nil { throw FeedRefusal.shard }
  }

  private func validatePlayables() throws {
    if scenario != nil { throw ValidationError("--playables chooses its own steps: leave out --scenario") }
    if container.isGiven { throw ValidationError("--playables chooses the containers: leave out --container") }
    guard withoutHosts == 0, placement.feed == nil else {
      throw ValidationError("--playables can't be combined with --without-hosts or --feed")
    }
  }

  private var explores: Bool { exploring.explore || playables }

  func run() async throws {
    let file = try policy()
    var policy = file.policy
    policy.isStrict = policy.isStrict || rules.strict
    let profiles = try file.profiles(asked: askedProfiles(file.policy))
    let devices = try device.devices()
    let planner = try planner(devices[0], profiles)
    if list { throw try planner.printList(of: creatives, recursive: recursive, on: devices, output) }
    let found = try planner.plan(creatives, recursive: recursive, spool: StandardInputSpool.fill)
    let hosted = playables ? try found.crossed(withHostsOf: profiles) : found
    let plan = try hosted.crossed(with: devices)
    let settings = try rendering.pool(queue)
    try tracing.check(plan)
    let read = device.files + container.files + rules.files + [rendering.traffic.replay, file.source.path]
    try NamedOutput.check([tracing.trace] + reports.files, of: plan, settings, besides: read)
    try reports.prepare()
    if film { try await FilmProgram.prepare(PlayableFilms.format) }
    let run = CheckRun(
      plan: plan, settings: settings, budget: explores ? exploring.budget : nil,
      judge: ResultChecker(policy: policy, profiles: profiles, source: file.source), mostHosts: withoutHosts,
      filmsPlayables: film)
    let progress = CheckProgress(plan: plan, output: output, console: .error)
    let (report, interrupted) = try await run.run(onProgress: progress.handleProgress, done: progress.end)
    try CheckReporter(output: output, console: .output, out: out).printMessage(report)
    if interrupted { Console.error.write(Interrupted.text(report.creatives.map(\.record))) }
    if !reports.isEmpty {
      let source = try ReportSource.read(folder: out, workingFolder: FileManager.default.currentDirectoryPath)
      try await ReportWriter(options: reports, console: output.json ? .error : .output).write(source)
    }
    try tracing.write(plan)
    throw ExitStatus(worstOf: report.creatives.map { ExitStatus($0) } + (interrupted ? [.interrupted] : []))
  }

  /// Returns the names of the profiles that the call chose; playables have a group of their own.
  private func askedProfiles(_ policy: Policy) -> [String]? {
    rules.profileNames ?? (playables && policy.profiles == nil ? [Profile.Group.playables.name] : nil)
  }

  private func planner(_ device: Device, _ profiles: [Profile]) throws(Fault) -> BatchPlanner {
    let given = try scenario.map { path throws(Fault) in try ScenarioFile(path: path, name: path).read() }
    var placement = placement
    if playables, placement.wish.isOpen { placement.placement = .interstitial }
    let host = playables ? nil : try container.resolved(for: profiles)
    let template = rendering.template(device, self.device, placement, host, measures: true)
    return BatchPlanner(
      out: out, template: template, feed: placement.feed, scenario: given, explores: explores,
      shard: sharding.shard)
  }
}

extension CheckCommand: ProjectCommand {
  static var takesDevices: Bool { true }
  var subjects: [String] { creatives }
  var searches: Bool { recursive }
  var projectFile: String? { rules.policy }
}

/// Options for the rules by which creatives are judged.
struct CheckOptions: ParsableArguments {
  @Option(
    name: .customLong("profile"),
    help: ArgumentHelp(
      "Networks whose rules apply, separated by commas, all or all-playables; a .json file describes one of your own.",
      valueName: "names"),
    completion: .list(ProfileCatalogue.standard.profiles.map(\.id) + ProfileCatalogue.collectiveNames))
  private var profiles: String?

  @Option(help: ArgumentHelp("The team's policy file (default: galley.yaml beside the creatives).", valueName: "file"))
  var policy: String?

  @Flag(help: "Fail if a rule of a chosen network wasn't tried.") var strict = false

  /// Files that the options name.
  var files: [String?] {
    let described: [String?] = (profileNames ?? []).filter { $0.hasSuffix(".json") }
    return [policy] + described
  }

  /// Requested profiles; nil if the option wasn't given.
  var profileNames: [String]? {
    profiles?.split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace).description }
  }
}
