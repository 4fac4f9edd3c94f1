internal import Application
internal import ArgumentParser
internal import Comparison
internal import Core
internal import Device
internal import FoundationEssentials
internal import MRAID
internal import RenderModel
internal import Terminal
internal import Workers

/// Renders creatives and compares them with their baselines, which it never changes.
struct BaselineVerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Render creatives and compare them with their baselines.",
    discussion: """
      Chance and the date are the baseline's. What differs is rendered again until two renders agree. The results, pictures of what differs and what there is \
      to approve go to --out, also when it fails; baselines are never changed. With --recursive, baselines whose \
      creative is gone from the folders are told as missing creatives, a warning unless --strict.

      Exit codes: 0 unchanged, 1 changed, a creative failed or by --strict is missing, 2 wrong usage or a broken \
      baseline, 3 Galley or the machine failed, 4 a deadline passed, 5 there is no baseline, or only one that \
      something else drew.
      """)

  @OptionGroup var subject: BaselineSubjectOptions
  @OptionGroup(title: "Baselines") var baselines: BaselineOptions
  @Flag(help: "Compare though another engine, device or font drew the baseline.") var acrossFingerprints = false
  @Flag(help: "Fail when a baseline's creative is gone from a folder searched with --recursive.") var strict = false
  @Option(help: ArgumentHelp("A page to look at, which needs no network.", valueName: "file")) var html: String?
  @OptionGroup(title: "Device") var device: DeviceOptions
  @OptionGroup(title: "Placement") var placement: PlacementOptions
  @OptionGroup(title: "Container") var container: ContainerOptions
  @OptionGroup(title: "Comparison") var comparison: ComparisonArguments
  @OptionGroup(title: "Rendering") var rendering: RenderingOptions
  @OptionGroup(title: "Project") var project: ProjectOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let call = BaselineArguments(
      subject: subject, baselines: baselines, device: device, placement: placement, container: container,
      comparison: comparison, rendering: rendering, output: output)
    guard let outcomes = try await call.run(isAcross: acrossFingerprints) else { throw ExitStatus.interrupted }
    let gone =
      subject.recursive ? MissingCreative.found(below: subject.creatives, baselines: baselines.baselines) : []
    let status = ExitStatus(worstOf: outcomes.map(\.status) + (strict && !gone.isEmpty ? [.findings] : []))
    if let html {
      let place = baselines.baselines ?? BaselineLocation.folderName
      let page = BaselinePage(outcomes: outcomes, gone: gone, baselines: place, out: subject.out).page
      try DiffPageFile(path: html).write(page)
    }
    try BaselineReporter(output: output, command: "verify").printMessage(
      outcomes, gone: gone, out: subject.out, status: status)
    throw status
  }
}

/// Renders creatives and keeps what they look like and do.
struct BaselineRecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Render creatives and record baselines of those that have none.",
    discussion: """
      Each creative is rendered until two renders agree; a picture or log of which no two do is marked flaky. A \
      baseline that is there already and differs stays, unless --overwrite. Chance and the date are kept with a \
      baseline: --seed, or 1, and --date, or now.

      Exit codes: 0 recorded or unchanged, 1 another baseline was kept or a creative failed, 2 wrong usage, 3 Galley \
      or the machine failed, 4 a deadline passed.
      """)

  @OptionGroup var subject: BaselineSubjectOptions
  @OptionGroup(title: "Baselines") var baselines: BaselineOptions
  @Flag(help: "Replace baselines that differ.") var overwrite = false
  @Flag(help: "Record though CI is set.") var inCi = false
  @Flag(help: "Keep what the network says as well: the baseline is verified by that, with nobody there.")
  var withNetwork = false
  @OptionGroup(title: "Device") var device: DeviceOptions
  @OptionGroup(title: "Placement") var placement: PlacementOptions
  @OptionGroup(title: "Container") var container: ContainerOptions
  @OptionGroup(title: "Comparison") var comparison: ComparisonArguments
  @OptionGroup(title: "Rendering") var rendering: RenderingOptions
  @OptionGroup(title: "Project") var project: ProjectOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    try ContinuousIntegration.check("record", isMeant: inCi)
    let call = BaselineArguments(
      subject: subject, baselines: baselines, device: device, placement: placement, container: container,
      comparison: comparison, rendering: rendering, output: output)
    guard var outcomes = try await call.run(isAcross: false, isAnew: overwrite, recordsNetwork: withNetwork) else { throw ExitStatus.interrupted }
    for index in outcomes.indices { try record(&outcomes[index]) }
    let status = ExitStatus(worstOf: outcomes.map(status))
    try BaselineReporter(output: output, command: "record").printMessage(outcomes, out: subject.out, status: status)
    throw status
  }

  private func record(_ outcome: inout BaselineOutcome) throws(Fault) {
    guard let candidate = outcome.candidate, let folder = outcome.folder, candidate.verdict != .unchanged else {
      return
    }
    guard candidate.verdict == .new || overwrite else {
      outcome.action = .kept
      return
    }
    var approval = Approval(candidate, folder: folder)
    _ = try approval.approve()
    outcome.action = .recorded
  }

  private func status(_ outcome: BaselineOutcome) -> ExitStatus {
    switch outcome.action {
    case .recorded: .pass
    case .kept: .findings
    case nil: outcome.status
    }
  }
}

/// What `record` and `verify` have in common: from options to outcomes.
struct BaselineArguments {
  let subject: BaselineSubjectOptions
  let baselines: BaselineOptions
  let device: DeviceOptions
  let placement: PlacementOptions
  let container: ContainerOptions
  let comparison: ComparisonArguments
  let rendering: RenderingOptions
  let output: OutputOptions

  /// Renders and judges; nil when a signal ended it.
  func run(isAcross: Bool, isAnew: Bool = false, recordsNetwork: Bool = false) async throws(Fault) -> [BaselineOutcome]? {
    let template = rendering.template(
      try device.resolved(), device.orientation, placement, try container.resolved())
    let planner = BatchPlanner(
      out: subject.out, template: template, feed: placement.feed,
      scenario: try subject.scenario.map { path throws(Fault) in try ScenarioFile(path: path, name: path).read() })
    var settings = try rendering.pool()
    // Before anything else runs: it changes the environment for a moment.
    let machine = MachineFingerprint()
    let plan = try planner.plan(subject.creatives, recursive: subject.recursive, spool: StandardInputSpool.fill)
    let places = try BaselineLocation.all(
      of: plan, folder: baselines.baselines, template: template, variant: subject.variant)
    let progress = LiveProgress(names: plan.items.map(\.name), shows: !output.quiet)
    let conditioned = try BaselineConditions.applied(
      to: plan, places, isAnew: isAnew, recordsNetwork: recordsNetwork, now: Date().timeIntervalSince1970)
    if recordsNetwork {
      try await BaselineNetwork.record(conditioned, places, settings, onProgress: progress.handleProgress)
    }
    let answered = try BaselineNetwork.replaying(conditioned, places)
    settings.recordings = settings.recordings ?? RecordingPlan()
    let run = BaselineRun(
      plan: answered, places: places, machine: machine, settings: settings, comparer: comparison.comparer,
      renders: subject.renders, isAcross: isAcross, isAnew: isAnew)
    return try await run.run(onProgress: progress.handleProgress)
  }
}

extension BaselineVerifyCommand: ProjectCommand {
  static var takesDevices: Bool { false }
  var subjects: [String] { subject.creatives }
  var projectFile: String? { project.policy }
}

extension BaselineRecordCommand: ProjectCommand {
  static var takesDevices: Bool { false }
  var subjects: [String] { subject.creatives }
  var projectFile: String? { project.policy }
}
