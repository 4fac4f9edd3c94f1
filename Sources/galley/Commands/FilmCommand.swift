internal import Application
internal import ArgumentParser
internal import Core
internal import Device
internal import Pixels
internal import RenderModel
internal import Terminal
internal import Workers

/// Films what an ad shows, frame by frame.
struct FilmCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "film", abstract: "Film an ad: MP4, WebM, GIF, animated WebP or APNG.",
    discussion: """
      The ad lives in a time of its own that waits for each frame, so none is late or missing, and the same ad gives \
      the same film. A file's ending says its format; --output may be given often.

      With --states the creative's scenario is played, with pauses, and taps are to be seen; the film is of the whole \
      screen then.

      \(ExitStatus.help)
      """)

  @Argument(
    help: ArgumentHelp("An HTML file, folder, zip or http(s) URL, or - for standard input.", valueName: "creative"))
  var creative: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where to write it: .mp4, .webm, .gif, .webp, .apng or .png.", valueName: "file"))
  var output: [String]

  @OptionGroup(title: "Film") var film: FilmOptions
  @OptionGroup(title: "Device") var device: DeviceOptions
  @OptionGroup(title: "Placement") var placement: PlacementOptions
  @OptionGroup(title: "Container") var container: ContainerOptions
  @OptionGroup(title: "Rendering") var rendering: RenderingOptions

  func validate() throws {
    if placement.feed != nil { throw ValidationError("film takes one ad, not a --feed") }
    if rendering.time.clock == .real { throw ValidationError("film takes --clock virtual, in which no frame is late") }
    if rendering.measure { throw ValidationError("film doesn't take --measure: render does") }
    for file in output where Self.format(of: file) == nil {
      let known = FilmFormat.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
      throw ValidationError("'\(file)' has no ending of a film: \(known)")
    }
  }

  private static func format(of file: String) -> FilmFormat? {
    FilmFormat(ending: AbsolutePath.stem(file).fileExtension)
  }

  /// Of each output; a call with any that is none of these isn't run.
  private var formats: [FilmFormat] { output.compactMap(Self.format) }

  func run() async throws {
    let device = try device.resolved()
    let request = try film.request(device)
    var template = rendering.template(
      device, self.device.orientation, placement, try container.resolved(), film: request)
    // Frames take longer to look at than they last.
    if template.limits.timeout == Limits().timeout { template.limits.timeout = Self.timeout }
    let given = try film.scenario.map { path throws(Fault) in try ScenarioFile(path: path, name: path).read() }
    let planner = BatchPlanner(out: try ScratchFolder.make(), template: template, scenario: given)
    let plan = try planner.plan([creative], recursive: false, spool: StandardInputSpool.fill)
    let job = try job(of: plan)
    for format in formats { try await FilmProgram.prepare(format) }
    let (records, isInterrupted) = await PoolRun(settings: try rendering.pool()).render([job])
    guard !isInterrupted, let record = records[job.id] else { throw ExitStatus.interrupted }
    let folder = ResultFolder(job.output)
    // A scenario that fails leaves the film of how it came to that.
    if record.outcome == .completed || folder.holds(FilmRequest.fileName) {
      for (file, format) in zip(output, formats) {
        try await FilmProgram.encode(folder.film, as: format, to: AbsolutePath.written(file))
      }
    }
    for warning in record.warnings { Console.error.write("\(warning.printable)\n") }
    guard let fault = record.fault else { return }
    Console.error.printMessage(fault)
    throw ExitStatus(record)
  }

  /// Seconds that a film's render may take unless the call says.
  private static let timeout = 300.0

  /// The only one of a plan; what can't be rendered at all says why.
  private func job(of plan: BatchPlan) throws(Fault) -> RenderJob {
    for item in plan.items {
      if case .refused(let record) = item.work, let fault = record.fault { throw fault }
    }
    guard var job = plan.jobs.first, plan.jobs.count == 1 else {
      throw .request("film-of-several", "a film is of one creative, and here are \(plan.items.count)")
    }
    guard !film.states || job.scenario != nil else {
      throw .request(
        "film-scenario-missing", "--states plays a scenario, and \(creative) has none: --scenario names one")
    }
    // One that is left alone plays none, though it is shown where its scenario says.
    if !film.states { job.scenario = nil }
    return job
  }
}

/// What is filmed, and how.
struct FilmOptions: ParsableArguments {
  @Option(help: "Frames a second.") var rate = FilmRequest.Rate.half

  @Option(help: ArgumentHelp("How long it lasts; with --states at the most.", valueName: "seconds"))
  var length: Double?

  @Flag(help: "Film the whole screen instead of the ad alone.") var wholeScreen = false
  @Flag(help: "Play the scenario, and show taps; the whole screen.") var states = false

  @Option(help: ArgumentHelp("The scenario for --states (default: the creative's own).", valueName: "file"))
  var scenario: String?

  @Option(
    help: ArgumentHelp(
      "Pixels of a dip (default: the device's for the ad, 1 for the screen).", valueName: "number"))
  var scale: Int?

  func validate() throws {
    if let length, !FilmRequest.lengths.contains(length) {
      throw ValidationError("--length must be from 0.1 to 120 seconds")
    }
    if scenario != nil, !states { throw ValidationError("--scenario goes with --states") }
    if let scale, !(1...8).contains(scale) { throw ValidationError("--scale must be from 1 to 8") }
  }

  /// What a worker is to take on a device.
  func request(_ device: Device) throws(Fault) -> FilmRequest {
    let isWhole = wholeScreen || states
    let scale = scale ?? (isWhole ? 1 : device.renderScale)
    guard device.renderScale % scale == 0 else {
      throw .request(
        "film-scale-invalid",
        "--scale \(scale) is no whole part of the \(device.renderScale) pixels that \(device.name) has for a dip")
    }
    return FilmRequest(
      rate: rate, length: length ?? (states ? 60 : 15), view: isWhole ? .screen : .ad, scale: scale,
      playsScenario: states)
  }
}

extension FilmRequest.Rate: ExpressibleByArgument {}
