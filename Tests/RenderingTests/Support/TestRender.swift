import Core
import Device
import Foundation
import MRAID
import Pixels
@testable import Rendering
import RenderModel
import WebKitRuntime

/// Renders creatives in this process as a worker would.
@WebKitActor final class TestRender {
  /// One for all tests that don't care: its creatives share a web process, which saves its start.
  static let shared = TestRender()

  /// One for a kind of time; a virtual one is its renders' own.
  static func of(_ clock: RenderOptions.Clock) -> TestRender {
    clock == .virtual ? TestRender(extensionDirectory: WebExtension.folder) : shared
  }

  private let renderer: Renderer
  private var jobs = 0

  /// `extensionDirectory` is where the web process extension is, without which the network can't be switched off and
  /// renders that ask for a virtual clock fail.
  init(extensionDirectory: String? = nil) {
    renderer = Renderer(
      environment: Renderer.Environment(sandbox: false, isEnclosed: false, extensionDirectory: extensionDirectory))
  }

  /// Hears of a render's phases.
  typealias Progress = @WebKitActor (String) -> Void

  /// How a creative is rendered; the defaults are those of the command, but for the shared web process and the clock,
  /// which is the machine's.
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
    /// Both its idle time and for how long it is measured.
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
        idleTime: options.watch, measureTime: options.watch, clock: options.clock, explores: options.explores,
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
    // What such a test would see is another time than it means.
    guard !record.warnings.contains(MachineWarning.clockMissing) else {
      throw Fault.request("no-clock", "this render had the machine's time: has it an extensionDirectory?")
    }
    return try RenderedCreative(record: record, folder: job.output, owner: owner)
  }
}

/// What a render left behind: its record, its log, its pictures.
struct RenderedCreative: Sendable {
  let record: RenderRecord
  /// The lines of `events.ndjson`.
  let events: [Event]
  let folder: String
  /// Keeps the results on disk as long as a test looks at them.
  let owner: TemporaryFolder

  init(record: RenderRecord, folder: String, owner: TemporaryFolder) throws {
    self.record = record
    self.folder = folder
    self.owner = owner
    let path = "\(folder)/events.ndjson"
    let text = FileManager.default.fileExists(atPath: path) ? try String(contentsOfFile: path, encoding: .utf8) : ""
    events = try text.split(separator: "\n").map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
  }

  /// What was measured, when that was asked for.
  func measurements() throws -> Measurements {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(Measurements.fileName)"))
    return try JSONDecoder().decode(Measurements.self, from: data)
  }

  /// What the `observe` steps noted.
  func observations() throws -> [PageSnapshot] {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(PageSnapshot.fileName)"))
    return try JSONDecoder().decode([PageSnapshot].self, from: data)
  }

  /// `source/name` of every event.
  var names: [String] { events.map { "\($0.source.rawValue)/\($0.name)" } }

  /// The events of this name, as scenarios write it.
  func events(_ name: String) -> [Event] {
    guard let pattern = EventPattern(name) else { return [] }
    return events.filter(pattern.matches)
  }

  /// What the page wrote to its console, in order.
  var console: [String] { events("page/console").compactMap { $0.detail["text"]?.string } }

  /// The JSON that the page logged after `label` and a space.
  func facts(_ label: String = "facts") -> JSONValue? {
    let line = console.first { $0.hasPrefix(label + " ") }
    return line.flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0.dropFirst(label.count + 1).utf8)) }
  }

  private struct Missing: Error {
    let number: Int
  }

  /// The picture of this number, from 1; `-ad` for the ad alone.
  func picture(_ number: Int, ad: Bool = false) throws -> Bitmap {
    guard record.screenshots.indices.contains(number - 1) else { throw Missing(number: number) }
    let screenshot = record.screenshots[number - 1]
    return try PNGDecoder.read(path: "\(folder)/screenshots/\(screenshot.name)\(ad ? "-ad" : "").png")
  }
}

/// VAST of an invented advertiser whose film lies within the document, so that it plays wherever the document lies.
enum VideoAd {
  /// Two seconds.
  static let video: String = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let clip = root.appendingPathComponent("Creatives/video/wrapper/kite.webm")
    return "data:video/webm;base64," + ((try? Data(contentsOf: clip))?.base64EncodedString() ?? "")
  }()

  /// An in-line ad with this beside its film; `beacon` is where its impression and its start are counted.
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

  /// A bid response with this markup.
  static func bid(_ markup: String, type: Int) throws -> String {
    let bid: [String: Any] = [
      "id": "b", "impid": "1", "price": 1.5, "mtype": type, "w": 300, "h": 250, "adm": markup,
      "burl": "https://bill.example?p=${AUCTION_PRICE}",
    ]
    let response: [String: Any] = ["id": "r", "seatbid": [["bid": [bid]]]]
    return String(decoding: try JSONSerialization.data(withJSONObject: response), as: UTF8.self)
  }
}

/// A folder of a test's own, removed with its last reference.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "galley-rendering-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a text file; the folders on the way are made.
  func write(_ name: String, _ text: String) throws {
    let target = "\(path)/\(name)"
    let parent = (target as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: target))
  }
}
