internal import ArgumentParser
internal import Baselines
internal import Jobs

/// Renders creatives and keeps what they look like and do.
struct BaselineRecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Render creatives and record baselines of those that have none.",
    discussion: """
      Each creative is rendered until two renders agree; a picture or log of which no two do is marked flaky. A \
      baseline that is there already and differs stays, unless --overwrite.

      Exit codes: 0 recorded or unchanged, 1 another baseline was kept or a creative failed, 2 wrong usage, 3 Galley \
      or the machine failed, 4 a deadline passed.
      """)

  @OptionGroup var subject: BaselineSubjectOptions
  @OptionGroup(title: "Baselines") var baselines: BaselineOptions
  @Flag(help: "Replace baselines that differ.") var overwrite = false
  @Flag(help: "Record though CI is set.") var inCi = false
  @OptionGroup(title: "Device") var device: DeviceOptions
  @OptionGroup(title: "Placement") var placement: PlacementOptions
  @OptionGroup(title: "Container") var container: ContainerOptions
  @OptionGroup(title: "Comparison") var comparison: ComparisonArguments
  @OptionGroup(title: "Rendering") var rendering: RenderingOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    try ContinuousIntegration.check("record", isMeant: inCi)
    let call = BaselineCall(
      subject: subject, baselines: baselines, device: device, placement: placement, container: container,
      comparison: comparison, rendering: rendering, output: output)
    guard var outcomes = try await call.run(isAcross: false) else { throw ExitStatus.interrupted }
    for index in outcomes.indices { try record(&outcomes[index]) }
    let status = ExitStatus(worstOf: outcomes.map(status))
    try BaselineReporter(output: output, command: "record").tell(outcomes, out: subject.out, status: status)
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
