internal import ArgumentParser
internal import Comparison
internal import Jobs

/// Renders creatives and compares them with their baselines, which it never changes.
struct BaselineVerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Render creatives and compare them with their baselines.",
    discussion: """
      What differs is rendered again until two renders agree. The results, pictures of what differs and what there is \
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
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let call = BaselineCall(
      subject: subject, baselines: baselines, device: device, placement: placement, container: container,
      comparison: comparison, rendering: rendering, output: output)
    guard let outcomes = try await call.run(isAcross: acrossFingerprints) else { throw ExitStatus.interrupted }
    let gone =
      subject.recursive ? MissingCreative.found(below: subject.creatives, baselines: baselines.baselines) : []
    let status = ExitStatus(worstOf: outcomes.map(\.status) + (strict && !gone.isEmpty ? [.findings] : []))
    if let html {
      let place = baselines.baselines ?? BaselineOptions.folderName
      let page = BaselinePage(outcomes: outcomes, gone: gone, baselines: place, out: subject.out).page
      try DiffPageFile(path: html).write(page)
    }
    try BaselineReporter(output: output, command: "verify").tell(
      outcomes, gone: gone, out: subject.out, status: status)
    throw status
  }
}
