internal import Application
internal import ArgumentParser
internal import Core
internal import Device
internal import Pixels
internal import RenderModel
internal import Terminal
internal import Workers

/// Records a video of an ad, frame by frame.
struct FilmCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "film", abstract: "Record a video of an ad: MP4, WebM, GIF, animated WebP or APNG.",
    discussion: """
      The ad runs on a virtual clock that waits for each frame, so no frame is late or missing, and the same ad gives \
      the same video. The file extension sets the format; --output is repeatable.

      With --states the creative's scenario runs with pauses, and taps are visible; the video then shows the whole \
      screen.

      \(ExitStatus.help)
      """)

  @Argument(
    help: ArgumentHelp("An HTML file, folder, zip or http(s) URL, or - for standard input.", valueName: "creative"))
  var creative: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write: .mp4, .webm, .gif, .webp, .apng or .png; repeatable.", valueName: "file"))
  var output: [String]

  @OptionGroup(title: "Film") var film: FilmOptions
  @OptionGroup(title: "Device") var device: DeviceOptions
  @OptionGroup(title: "Placement") var placement: PlacementOptions
  @OptionGroup(title: "Container") var container: ContainerOptions
  @OptionGroup(title: "Rendering") var rendering: RenderingOptions

  func validate() throws {
    if placement.feed != nil { throw ValidationError("film takes one ad: leave out --feed") }
    if rendering.time.clock == .real {
      throw ValidationError(
        "film requires --clock virtual, in which no frame is late")
    }
    if rendering.measure { throw ValidationError("film can't measure: use galley render --measure") }
    for file in output where Self.format(of: file) == nil {
      let known = FilmFormat.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
      throw ValidationError("'\(file)' has no extension of a video: \(known)")
    }
  }

  private static func format(of file: String) -> FilmFormat? {
    FilmFormat(ending: AbsolutePath.stem(file).fileExtension)
  }

  /// Video format of each output; calls with an unknown format are rejected before.
  private var formats: [FilmFormat] { output.compactMap(Self.format) }

  func run() async throws {
    var template = rendering.template(try device.resolved(), device, placement, try container.resolved())
    // Frames take longer to look at than they last.
    if template.limits.timeout == Limits().timeout { template.limits.timeout = Self.timeout }
    let given = try film.scenario.map { path throws(Fault) in try ScenarioFile(path: path, name: path).read() }
    let planner = BatchPlanner(out: try ScratchFolder.make(), template: template, scenario: given)
    let plan = try planner.plan([creative], recursive: false, spool: StandardInputSpool.fill)
    let job = try job(of: plan)
    let settings = try rendering.pool()
    let read = self.device.files + container.files + [film.scenario, rendering.traffic.replay]
    try NamedOutput.check(output, of: plan, settings, besides: read)
    for format in formats { try await FilmProgram.prepare(format) }
    let live = LiveProgress(names: [plan.items[0].name], shows: true)
    let (records, isInterrupted) = await PoolRun(settings: settings).render(
      [job], progress: live.handleProgress)
    guard !isInterrupted, let record = records[job.id] else { throw ExitStatus.interrupted }
    let folder = ResultFolder(job.output)
    // A scenario that fails leaves the film of how it came to that.
    if record.outcome == .completed || folder.holds(FilmRequest.fileName) {
      for (file, format) in zip(output, formats) {
        Console.error.write("encoding \(file.printable)\n")
        try await FilmProgram.encode(folder.film, as: format, to: AbsolutePath.written(file))
        NamedOutput.tell(file)
      }
    }
    for warning in record.warnings { Console.error.write("\(warning.printable)\n") }
    guard let fault = record.fault else { return }
    Console.error.printMessage(fault)
    throw ExitStatus(record)
  }

  /// Default time limit of a video's render in seconds.
  private static let timeout = 300.0

  /// Returns the only job of a plan; throws the refusal of a creative that can't be rendered.
  private func job(of plan: BatchPlan) throws(Fault) -> RenderJob {
    for item in plan.items {
      if case .refused(let record) = item.work, let fault = record.fault { throw fault }
    }
    guard var job = plan.jobs.first, plan.jobs.count == 1 else {
      throw .request("film-of-several", "film takes one creative, not \(plan.items.count)")
    }
    guard !film.states || job.scenario != nil else {
      throw .request(
        "film-scenario-missing", "--states plays a scenario, but \(creative) has none: name one with --scenario")
    }
    // One that is left alone plays none, though it is shown where its scenario says.
    if !film.states { job.scenario = nil }
    // Asked of the job's device, which the creative may have chosen.
    job.options.film = try film.request(job.device)
    return job
  }
}

/// Options for the content and quality of a video.
struct FilmOptions: ParsableArguments {
  @Option(help: "Frames per second.") var rate = FilmRequest.Rate.half

  @Option(help: ArgumentHelp("Length of the video; with --states the maximum length.", valueName: "seconds"))
  var length: Double?

  @Flag(help: "Record the whole screen instead of the ad alone.") var wholeScreen = false
  @Flag(help: "Play the scenario and show taps; records the whole screen.") var states = false

  @Option(help: ArgumentHelp("The scenario for --states (default: the creative's own).", valueName: "file"))
  var scenario: String?

  @Option(
    help: ArgumentHelp(
      "Pixels per dip (default: the device's for the ad, 1 for the screen).", valueName: "number"))
  var scale: Int?

  func validate() throws {
    if let length, !FilmRequest.lengths.contains(length) {
      throw ValidationError("--length must be from 0.1 to 120 seconds")
    }
    if scenario != nil, !states { throw ValidationError("--scenario requires --states") }
    if let scale, !(1...8).contains(scale) { throw ValidationError("--scale must be from 1 to 8") }
  }

  /// Returns the request of a video for a device; throws if the scale doesn't divide the device's.
  func request(_ device: Device) throws(Fault) -> FilmRequest {
    let isWhole = wholeScreen || states
    let scale = scale ?? (isWhole ? 1 : device.renderScale)
    guard device.renderScale % scale == 0 else {
      throw .request(
        "film-scale-invalid",
        "--scale must divide \(device.renderScale), the pixels per dip of \(device.name); \(scale) doesn't")
    }
    return FilmRequest(
      rate: rate, length: length ?? (states ? 60 : 15), view: isWhole ? .screen : .ad, scale: scale,
      playsScenario: states)
  }
}

extension FilmRequest.Rate: ExpressibleByArgument {}
