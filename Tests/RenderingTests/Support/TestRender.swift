import Core
import Device
import Engine
import Foundation
import MRAID
import Pixels
import RenderModel
import WebKitRuntime

@testable import Rendering

/// Renders creatives in this process as a worker would.
@EngineActor final class TestRender {
  /// Shared instance for tests without special needs: its creatives share a web process, which saves its start.
  static let shared = TestRender()

  /// Returns an instance for a kind of clock; virtual time needs one for its own renders.
  static func of(_ clock: RenderOptions.Clock) -> TestRender {
    clock == .virtual ? TestRender(extensionDirectory: WebExtension.folder) : shared
  }

  private let renderer: Renderer
  private var jobs = 0

  /// Creates an instance. `extensionDirectory` is the folder of the web process extension.
  ///
  /// Without the extension the network can't be switched off, and renders with a virtual clock fail.
  init(extensionDirectory: String? = nil) {
    renderer = Renderer(
      environment: Renderer.Environment(sandbox: false, isEnclosed: false, extensionDirectory: extensionDirectory))
  }

  /// Callback for a render's phases.
  typealias Progress = @EngineActor (String) -> Void

  /// Options of a render; the defaults are the command's, except for the shared web process and the real clock.
  struct Options: Sendable {
    var device = DeviceCatalogue.defaultName
    var placement = Placement(kind: .banner)
    var orientation: AppOrientation?
    var isolation = RenderOptions.Isolation.session
    var limits = Limits(timeout: 20)
    var followsClickthroughs = false
    var network = NetworkPolicy.any
    var compositing = RenderOptions.Compositing.automatic
    var scenario: String?
    var measures = false
    var captures = CaptureSchedule()
    var seed: UInt32?
    /// Seconds for which the creative is left idle and measured.
    var watch: Double?
    var clock = RenderOptions.Clock.real
    /// Path of the feed's file, with the creatives at these paths as its ads; the rendered creative is ignored then.
    var feed: (path: String, creatives: [String])?
    var sendsBeacons = false
    var container: ContainerProfile?
    /// Indicates if pages are watched for tappable elements, and asked for them after the scenario.
    var explores = false
    var consent: Consent?
    var settings = UserSettings()
    var attempt = 1
  }

  /// Renders a creative of these files; it can't be opened without `index.html` among them.
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

  /// Renders the creative at `path`.
  func render(
    path: String, _ options: Options, owner: TemporaryFolder? = nil, progress: @escaping Progress = { _ in }
  ) async throws -> RenderedCreative {
    let reference = CreativeReference(argument: path, path: path, name: "creative")
    return try await render(reference, options, owner: owner ?? TemporaryFolder(), progress: progress)
  }

  /// Renders the creative at an address.
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
        idleTime: options.watch, measureTime: options.watch, clock: options.clock, explores: options.explores,
        measures: options.measures, compositing: options.compositing, captures: options.captures, seed: options.seed,
        sendsBeacons: options.sendsBeacons, consent: options.consent, settings: options.settings))
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
    // What such a test would see is another time than it means.
    guard !record.warnings.contains(MachineWarning.clockMissing) else {
      throw Fault.request("no-clock", "this render had the machine's time: has it an extensionDirectory?")
    }
    return try RenderedCreative(record: record, folder: job.output, owner: owner)
  }
}

/// Result of a render: its record, its log, its pictures.
struct RenderedCreative: Sendable {
  let record: RenderRecord
  /// Events of `events.ndjson`.
  let events: [Event]
  let folder: String
  /// Owner of the folder, which keeps the results on disk while a test reads them.
  let owner: TemporaryFolder

  init(record: RenderRecord, folder: String, owner: TemporaryFolder) throws {
    self.record = record
    self.folder = folder
    self.owner = owner
    let path = "\(folder)/events.ndjson"
    let text = FileManager.default.fileExists(atPath: path) ? try String(contentsOfFile: path, encoding: .utf8) : ""
    events = try text.split(separator: "\n").map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
  }

  /// Reads the measurements, if they were requested.
  func measurements() throws -> Measurements {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(Measurements.fileName)"))
    return try JSONDecoder().decode(Measurements.self, from: data)
  }

  /// Reads the snapshots of the `observe` steps.
  func observations() throws -> [PageSnapshot] {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(PageSnapshot.fileName)"))
    return try JSONDecoder().decode([PageSnapshot].self, from: data)
  }

  /// Names of all events as `source/name`.
  var names: [String] { events.map { "\($0.source.rawValue)/\($0.name)" } }

  /// Returns the events with this name, in the form of scenarios.
  func events(_ name: String) -> [Event] {
    guard let pattern = EventPattern(name) else { return [] }
    return events.filter(pattern.matches)
  }

  /// Texts that the page wrote to its console, in order.
  var console: [String] { events("page/console").compactMap { $0.detail["text"]?.string } }

  /// Returns the JSON that the page logged after `label` and a space.
  func facts(_ label: String = "facts") -> JSONValue? {
    let line = console.first { $0.hasPrefix(label + " ") }
    return line.flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0.dropFirst(label.count + 1).utf8)) }
  }

  private struct Missing: Error {
    let number: Int
  }

  /// Returns the screenshot with this number, from 1; with `ad` the one of the ad alone.
  func picture(_ number: Int, ad: Bool = false) throws -> Bitmap {
    guard record.screenshots.indices.contains(number - 1) else { throw Missing(number: number) }
    let screenshot = record.screenshots[number - 1]
    return try PNGDecoder.read(path: "\(folder)/screenshots/\(screenshot.name)\(ad ? "-ad" : "").png")
  }
}

/// VAST of an invented advertiser with the video inside the document, so that it plays at any address.
enum VideoAd {
  /// Data URL of a video of two seconds.
  static let video: String = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let clip = root.appendingPathComponent("Creatives/video/wrapper/kite.webm")
    return "data:video/webm;base64," + ((try? Data(contentsOf: clip))?.base64EncodedString() ?? "")
  }()

  /// Returns an in-line ad with these parts; `beacon` is the address that counts its impression and start.
  static func inLine(
    media: String = video, beacon: String = "https://count.example", linear: String = "", more: String = ""
  )
    -> String
  {
    """
    <VAST version="4.2"><Ad id="a"><InLine><AdSystem>Kestrel</AdSystem><AdTitle>Wind</AdTitle>
    <Error>https://error.example/?code=[ERRORCODE]</Error><Impression>\(beacon)/seen?t=[TIMESTAMP]</Impression>
    <Creatives><Creative><Linear><Duration>00:00:02</Duration>\(linear)
    <TrackingEvents><Tracking event="start">\(beacon)/start</Tracking></TrackingEvents>
    <MediaFiles><MediaFile delivery="progressive" type="video/webm" width="320" height="180">\(media)</MediaFile></MediaFiles>
    </Linear></Creative></Creatives>\(more)</InLine></Ad></VAST>
    """
  }

  static func wrapper(_ tag: String) -> String {
    """
    <VAST version="3.0"><Ad><Wrapper><AdSystem>Seller</AdSystem><VASTAdTagURI><![CDATA[\(tag)]]></VASTAdTagURI>
    <Error>https://seller.example/error?code=[ERRORCODE]</Error><Impression>https://seller.example/seen</Impression>
    </Wrapper></Ad></VAST>
    """
  }

  /// Returns a bid response with this markup.
  static func bid(_ markup: String, type: Int) throws -> String {
    let bid: [String: Any] = [
      "id": "b", "impid": "1", "price": 1.5, "mtype": type, "w": 300, "h": 250, "adm": markup,
      "burl": "https://bill.example?p=${AUCTION_PRICE}",
    ]
    let response: [String: Any] = ["id": "r", "seatbid": [["bid": [bid]]]]
    return String(decoding: try JSONSerialization.data(withJSONObject: response), as: UTF8.self)
  }
}

/// Temporary folder of one test, removed with its last reference.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "galley-rendering-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a text file, and creates the folders of its path.
  func write(_ name: String, _ text: String) throws {
    let target = "\(path)/\(name)"
    let parent = (target as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: target))
  }
}
