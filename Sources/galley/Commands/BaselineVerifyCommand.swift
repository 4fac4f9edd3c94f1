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
      Random numbers and the date are those of the baseline. A creative that differs is rendered again until two \
      renders agree. --out receives the results, screenshots of the differences and the changes to approve, also after \
      a failure; baselines never change. With --recursive, a baseline whose creative is gone from the folders is \
      reported as a missing creative: a warning, an error with --strict.

      Delivered files are compared as well: if only files differ, the verdict is files-changed, with the addresses \
      before and after.

      Exit codes: 0 unchanged, 1 changed or files changed, a creative failed or is missing with --strict, 2 wrong \
      usage or a broken baseline, 3 Galley or the machine failed, 4 a deadline passed, 5 no baseline, or only one \
      drawn in another environment.
      """)

  @OptionGroup var subject: BaselineSubjectOptions
  @OptionGroup(title: "Baselines") var baselines: BaselineOptions
  @Flag(help: "Compare even if another engine, device or font drew the baseline.") var acrossFingerprints = false
  @Flag(help: "Fail if a baseline's creative is missing from a folder searched with --recursive.") var strict = false
  @Option(help: ArgumentHelp("Write an HTML page with the results that works offline.", valueName: "file")) var html:
    String?
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
    guard let outcomes = try await call.run(isAcross: acrossFingerprints, outputs: [html]) else {
      throw ExitStatus.interrupted
    }
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

/// Renders creatives and records their pictures and event logs as baselines.
struct BaselineRecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Render creatives and record their missing baselines.",
    discussion: """
      Each creative is rendered until two renders agree; a screenshot or log that differs in every render is marked \
      flaky. An existing baseline that differs stays, unless --overwrite is given. The baseline stores the seed \
      (--seed, default 1) and the date (--date, default now).

      Exit codes: 0 recorded or unchanged, 1 another baseline was kept or a creative failed, 2 wrong usage, 3 Galley \
      or the machine failed, 4 a deadline passed.
      """)

  @OptionGroup var subject: BaselineSubjectOptions
  @OptionGroup(title: "Baselines") var baselines: BaselineOptions
  @Flag(help: "Replace baselines that differ.") var overwrite = false
  @Flag(help: "Record even if CI is set.") var inCi = false
  @Flag(help: "Store the network's responses as well; 'verify' replays them without network access.")
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
    guard var outcomes = try await call.run(isAcross: false, isAnew: overwrite, recordsNetwork: withNetwork) else {
      throw ExitStatus.interrupted
    }
    for index in outcomes.indices { try record(&outcomes[index]) }
    let status = ExitStatus(worstOf: outcomes.map(status))
    try BaselineReporter(output: output, command: "record").printMessage(outcomes, out: subject.out, status: status)
    throw status
  }

  private func record(_ outcome: inout BaselineOutcome) throws(Fault) {
    guard let candidate = outcome.candidate, let folder = outcome.folder, isWanted(candidate) else { return }
    guard candidate.verdict == .new || overwrite else {
      outcome.action = .kept
      return
    }
    var approval = Approval(candidate, folder: folder)
    _ = try approval.approve()
    outcome.action = .recorded
  }

  /// Returns true if there is something to record.
  ///
  /// With `--overwrite` this includes the file digests that a baseline of an older version lacks.
  private func isWanted(_ candidate: Candidate) -> Bool {
    candidate.verdict != .unchanged || overwrite && candidate.filesCompared == false
  }

  private func status(_ outcome: BaselineOutcome) -> ExitStatus {
    switch outcome.action {
    case .recorded: .pass
    case .kept: .findings
    case nil: outcome.status
    }
  }
}

/// Options that `record` and `verify` share, and the run from options to outcomes.
struct BaselineArguments {
  let subject: BaselineSubjectOptions
  let baselines: BaselineOptions
  let device: DeviceOptions
  let placement: PlacementOptions
  let container: ContainerOptions
  let comparison: ComparisonArguments
  let rendering: RenderingOptions
  let output: OutputOptions

  /// Renders and judges the creatives; nil if a signal ended the run.
  ///
  /// Nothing is rendered if one of the `outputs` can't be written.
  func run(
    isAcross: Bool, isAnew: Bool = false, recordsNetwork: Bool = false, outputs: [String?] = []
  ) async throws(Fault) -> [BaselineOutcome]? {
    let template = rendering.template(
      try device.resolved(), device, placement, try container.resolved())
    let planner = BatchPlanner(
      out: subject.out, template: template, feed: placement.feed,
      scenario: try subject.scenario.map { path throws(Fault) in try ScenarioFile(path: path, name: path).read() })
    var settings = try rendering.pool()
    // Before anything else runs: it changes the environment for a moment.
    let machine = MachineFingerprint()
    let plan = try planner.plan(subject.creatives, recursive: subject.recursive, spool: StandardInputSpool.fill)
    let read = device.files + container.files + [rendering.traffic.replay]
    try NamedOutput.check(outputs, of: plan, settings, besides: read)
    let places = try BaselineLocation.all(
      of: plan, folder: baselines.baselines, template: template, variant: subject.variant)
    let progress = LiveProgress(names: plan.items.map(\.name), shows: !output.quiet)
    let conditioned = try BaselineConditions.applied(
      to: plan, places, isAnew: isAnew, recordsNetwork: recordsNetwork, now: Date().timeIntervalSince1970)
    if recordsNetwork {
      guard try await BaselineNetwork.record(conditioned, places, settings, onProgress: progress.handleProgress)
      else { return nil }
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
  var searches: Bool { subject.recursive }
  var projectFile: String? { project.policy }
}

extension BaselineRecordCommand: ProjectCommand {
  static var takesDevices: Bool { false }
  var subjects: [String] { subject.creatives }
  var searches: Bool { subject.recursive }
  var projectFile: String? { project.policy }
}
