import Foundation
import Jobs
import MRAID
import Stage
import WebKitRuntime

@testable import Rendering

/// Renders creatives in this process as a worker would.
@WebKitActor final class TestRender {
  /// One for all tests that don't care: its creatives share a web process, which saves its start.
  static let shared = TestRender()

  private let renderer: Renderer
  private var jobs = 0

  /// `extensionDirectory` is where the web process extension is, without which the network can't be switched off.
  init(extensionDirectory: String? = nil) {
    renderer = Renderer(environment: Renderer.Environment(sandbox: false, extensionDirectory: extensionDirectory))
  }

  /// Hears of a render's phases.
  typealias Progress = @WebKitActor (String) -> Void

  /// How a creative is rendered; the defaults are those of the command, but for the shared web process.
  struct Options: Sendable {
    var device = DeviceCatalogue.defaultName
    var placement = Placement(kind: .banner)
    var orientation: AppOrientation?
    var isolation = RenderOptions.Isolation.session
    var limits = Limits(timeout: 20)
    var followsClickthroughs = false
    var network = NetworkReach.any
    var compositing = RenderOptions.Compositing.automatic
    var scenario: String?
    var measures = false
    var captures = Captures()
    var seed: UInt32?
    var watch: Double?
    var clock = RenderOptions.Clock.real
    /// The feed's file, of which the creatives at these paths are the ads; the one rendered isn't looked at then.
    var feed: (path: String, creatives: [String])?
    var sendsBeacons = false
    var container: ContainerProfile?
    /// Whether pages are watched for what could be tapped, and asked about it after the scenario.
    var explores = false
    var attempt = 1
  }

  /// Renders a creative of these files; without `index.html` among them it can't be opened.
  func render(
    files: [String: String], _ options: Options = Options(), progress: @escaping Progress = { _ in }
  ) async throws -> RenderedCreative {
    let owner = try TemporaryFolder()
    for (name, text) in files { try owner.write("creative/\(name)", text) }
    return try await render(path: "\(owner.path)/creative", options, owner: owner, progress: progress)
  }

  /// Renders one document.
  func render(
    html: String, _ options: Options = Options(), progress: @escaping Progress = { _ in }
  ) async throws -> RenderedCreative {
    try await render(files: ["index.html": html], options, progress: progress)
  }

  /// Renders what stands at `path`.
  func render(
    path: String, _ options: Options, owner: TemporaryFolder? = nil, progress: @escaping Progress = { _ in }
  ) async throws -> RenderedCreative {
    let reference = CreativeReference(argument: path, path: path, name: "creative")
    return try await render(reference, options, owner: owner ?? TemporaryFolder(), progress: progress)
  }

  /// Renders what is at an address.
  func render(url: String, _ options: Options = Options()) async throws -> RenderedCreative {
    let reference = CreativeReference(argument: url, path: nil, name: "creative")
    return try await render(reference, options, owner: TemporaryFolder(), progress: { _ in })
  }

  private func render(
    _ creative: CreativeReference, _ options: Options, owner: TemporaryFolder, progress: @escaping Progress
  ) async throws -> RenderedCreative {
    jobs += 1
    guard
      let device = DeviceCatalogue.standard.device(named: options.device)
        ?? (try? Device.custom(screen: options.device))
    else { throw Fault.request("no-device", options.device) }
    var scenario = try options.scenario.map { text throws(Fault) in
      try ScenarioParser.parse(text, source: "steps.yaml")
    }
    if options.explores { scenario?.steps.append(Scenario.Step(line: 0, action: .observe("end"))) }
    var job = RenderJob(
      id: jobs, creative: creative, output: "\(owner.path)/out-\(jobs)", device: device,
      orientation: options.orientation,
      placement: scenario?.placement ?? options.placement, scenario: scenario, container: options.container,
      limits: options.limits,
      options: RenderOptions(
        isolation: options.isolation, followsClickthroughs: options.followsClickthroughs, network: options.network,
        watch: options.watch, clock: options.clock, explores: options.explores,
        measures: options.measures, compositing: options.compositing, captures: options.captures, seed: options.seed,
        sendsBeacons: options.sendsBeacons))
    job.attempt = options.attempt
    if let feed = options.feed {
      let creatives = feed.creatives.map {
        CreativeReference(argument: $0, path: $0.hasPrefix("http") ? nil : $0, name: "ad")
      }
      job.feed = FeedReference(argument: "feed.yaml", path: feed.path, creatives: creatives)
      job.placement = Placement(kind: .feed)
      job.creative = creatives[0]
    }
    let record = await renderer.render(job, progress: progress)
    return try RenderedCreative(record: record, folder: job.output, owner: owner)
  }
}
