internal import Application
internal import Checks
internal import Comparison
internal import Core
package import Device
internal import FoundationEssentials
package import MRAID
package import Pixels
package import RenderModel
internal import Synchronization

/// What somebody wants rendered, and how; without the creative itself, which is on disk by then.
package struct RenderRequest: Hashable, Sendable, Codable {
  /// How far to explore.
  package struct Exploring: Hashable, Sendable, Codable {
    package var actions: Int
    package var seconds: Double
  }

  /// What is filmed, and as what.
  package struct Film: Hashable, Sendable, Codable {
    package var formats: [FilmFormat]
    package var rate: FilmRequest.Rate?
    package var length: Double?
    /// Whether the whole screen is filmed rather than the ad alone.
    package var screen: Bool?
    /// Whether the scenario is played.
    package var states: Bool?
  }

  /// What people call the creative; safe for a path.
  package var name: String
  /// The address to load; nil for a creative that was delivered.
  package var url: String?
  package var device: Described<Device>?
  package var screen: String?
  package var orientation: String?
  package var placement: Placement.Kind?
  package var size: String?
  package var position: Placement.Position?
  package var container: Described<ContainerProfile>?
  /// The scenario's YAML.
  package var scenario: String?
  package var explore: Exploring?
  /// Whether to measure and judge.
  package var checks: Bool
  package var profiles: [String]
  package var callback: String?
  /// Seconds of rendering, and of waiting for it.
  package var timeout: Double
  package var queueTimeout: Double
  package var memory: Int
  /// Seconds an ad must stay in its state before the render ends.
  package var idleTime: Double?
  /// Seconds for which its motion is measured.
  package var measureTime: Double?
  package var seed: UInt32?
  package var clock: RenderOptions.Clock?
  /// Seconds since 1970.
  package var date: Double?
  package var at: [Double]
  package var network: Bool
  // What was added later is left out of requests that were written down before.
  package var filmstrip: CaptureSchedule.Filmstrip?
  package var measure: Bool?
  package var followClickthroughs: Bool?
  package var sendBeacons: Bool?
  package var compositing: RenderOptions.Compositing?
  /// What it belongs to; changes nothing of how it is rendered.
  package var labels: [String: String]?
  package var film: Film?
  package var backup: BackupRequest?
  /// Whether the creative's requests are kept with what came of them.
  package var record: Bool?
  /// The render whose recording answers.
  package var replay: String?
  /// SHA-256 of the recording that answers, as it came; nil for none.
  package var recording: String?
  package var replayMissing: Missing?
  package var networkProfile: String?
  package var faults: [String]?
  package var consent: Consent?
  package var omid: Bool?
}

/// Something that a request names, or describes itself.
package enum Described<Value: Hashable & Sendable & Codable>: Hashable, Sendable {
  case name(String)
  case value(Value)
}

extension Described: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let name = try? container.decode(String.self) {
      self = .name(name)
    } else {
      self = .value(try container.decode(Value.self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .name(let name): try container.encode(name)
    case .value(let value): try container.encode(value)
    }
  }
}

extension RenderRequest {
  /// The job that comes of it, which reaches no further than `reach`; wrong names are the caller's fault.
  ///
  /// `own` is the scenario that the creative brings along, which plays where the request has none.
  package func job(
    path: String?, own: Scenario? = nil, output: String, reach: NetworkPolicy
  ) throws(Problem) -> RenderJob {
    var names = NameReader()
    let device = device(&names)
    let container = profile(&names)
    _ = names.take("profiles") { () throws(Fault) in try ProfileCatalogue.standard.named(profiles) }
    var played =
      scenario.flatMap { text in
        names.take("scenario") { () throws(Fault) in try ScenarioParser.parse(text, source: "scenario") }
      } ?? own
    if let backup, let device, backup.scale > device.renderScale {
      names.fail("backup", "of scale \(backup.scale) takes a device that draws as many pixels of a dip")
    }
    if let film {
      if film.states == true, played == nil { names.fail("film", "of states plays a scenario, and there is none") }
      // An ad that is filmed by itself is left alone.
      if film.states != true { played = nil }
    }
    let side = side(&names)
    let wish = wish(&names)
    guard names.problems.isEmpty, let device else { throw .invalid(names.problems) }
    let shown = container.flatMap { $0.differences.isEmpty ? nil : $0 }
    let template = JobTemplate(
      device: device, orientation: side, wish: wish, container: shown,
      limits: Limits(timeout: timeout, memory: memory), options: options(network ? reach : .none, device))
    return template.job(
      0, CreativeReference(argument: url ?? name, path: path, name: name), output: output, scenario: played)
  }

  private func device(_ names: inout NameReader) -> Device? {
    if let screen { return names.take("screen") { () throws(Fault) in try Device.plain(screen: screen) } }
    switch device ?? .name(DeviceCatalogue.defaultName) {
    case .name(let name):
      return names.take("device") { () throws(Fault) in try DeviceCatalogue.standard.required(name) }
    case .value(let device): return device
    }
  }

  private func profile(_ names: inout NameReader) -> ContainerProfile? {
    switch container {
    case nil: nil
    case .name(let name):
      names.take("container") { () throws(Fault) in try ContainerCatalogue.standard.required(name) }
    case .value(let profile): profile
    }
  }

  private func side(_ names: inout NameReader) -> AppOrientation? {
    guard let orientation else { return nil }
    let known = AppOrientation.allCases.map(\.rawValue).joined(separator: ", ")
    return names.take("orientation", AppOrientation(rawValue: orientation), else: "must be one of \(known)")
  }

  private func wish(_ names: inout NameReader) -> PlacementRequest {
    let slot = size.flatMap { text in
      names.take("size", Size(slot: text), else: "must be like 320x50, each side from 1 to 10000")
    }
    let wish = PlacementRequest(kind: placement, size: slot, position: position)
    if wish.contradictsItself {
      names.fail("size", "and position go with a banner; an interstitial fills the screen")
    }
    return wish
  }

  /// The same with chance and the date said, so that what is rendered again can be compared: those that were asked for, or
  /// those of its baseline, or 1 and the instant at which it was accepted, in milliseconds since 1970.
  ///
  /// A recording that answers has its own.
  func conditioned(by baseline: BaselineManifest?, acceptedAt created: Int64) -> RenderRequest {
    guard recording == nil, replay == nil else { return self }
    var request = self
    request.seed = seed ?? baseline?.seed ?? 1
    if clock ?? .virtual == .virtual { request.date = date ?? baseline?.date ?? Double(created / 1000) }
    return request
  }

  private func options(_ reach: NetworkPolicy, _ device: Device) -> RenderOptions {
    let captures = CaptureSchedule(instants: at, filmstrip: filmstrip)
    return RenderOptions(
      followsClickthroughs: followClickthroughs ?? false, network: reach, idleTime: idleTime,
      measureTime: measureTime, clock: clock ?? .virtual, date: date,
      measures: checks || measure == true, compositing: compositing ?? .automatic, captures: captures, seed: seed,
      sendsBeacons: sendBeacons ?? false, film: film?.request(device), traffic: traffic,
      consent: consent, omid: omid ?? false)
  }
}

extension RenderRequest.Film {
  /// What a worker takes of it on a device.
  fileprivate func request(_ device: Device) -> FilmRequest {
    let (plays, isWhole) = (states == true, states == true || screen == true)
    return FilmRequest(
      rate: rate ?? .half, length: length ?? (plays ? 60 : 15), view: isWhole ? .screen : .ad,
      scale: isWhole ? 1 : device.renderScale, playsScenario: plays)
  }
}

extension RenderRequest {
  /// As the store keeps it: the same request gives the same text.
  package var text: String { JSONText.plain(self) ?? "{}" }

  /// Whether it belongs to something, whose people wait for it.
  var isLabelled: Bool { labels?.isEmpty == false }

  /// A hash of what decides how it is rendered: the same for requests that do the same with a creative.
  package var recipe: String {
    var bare = self
    (bare.name, bare.callback, bare.queueTimeout, bare.labels, bare.date) = ("", nil, 0, nil, nil)
    return Document.hash(of: Array(bare.text.utf8))
  }

  /// Nil when it isn't one, or one of a later Galley; what a server before schema 2 wrote is read by its names.
  package static func read(_ text: String) -> RenderRequest? {
    RequestCache.shared.request(text) { decoded(text) ?? renamed(text).flatMap(decoded) }
  }

  private static func decoded(_ text: String) -> RenderRequest? {
    try? JSONDecoder().decode(RenderRequest.self, from: Data(text.utf8))
  }

  private static func renamed(_ text: String) -> String? {
    guard case .object(var members)? = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)),
      let patience = members.removeValue(forKey: "patience")
    else { return nil }
    let watch = members.removeValue(forKey: "watch")
    members["queueTimeout"] = patience
    (members["idleTime"], members["measureTime"]) = (watch, watch)
    return JSONValue.object(members).text
  }
}

/// Requests that were read of late, by their text: each render's is asked for some seven times, and a batch's renders have
/// the same one.
private final class RequestCache: Sendable {
  static let shared = RequestCache()
  private let kept = Mutex<[String: RenderRequest]>([:])
  private static let most = 128
  /// In bytes; longer ones carry a scenario or tags, and are another each time.
  private static let longest = 8192

  func request(_ text: String, read: () -> RenderRequest?) -> RenderRequest? {
    if let request = kept.withLock({ $0[text] }) { return request }
    guard let request = read() else { return nil }
    if text.utf8.count <= Self.longest {
      kept.withLock { kept in
        if kept.count >= Self.most { kept.removeAll(keepingCapacity: true) }
        kept[text] = request
      }
    }
    return request
  }
}

/// Looks up what a request names, and gathers what there isn't.
struct NameReader {
  private(set) var problems: [Problem.Field] = []

  /// What `look` finds; nil when its fault is kept.
  mutating func take<Value>(_ member: String, _ look: () throws(Fault) -> Value) -> Value? {
    do throws(Fault) {
      return try look()
    } catch {
      problems.append(Problem.Field(member, error))
      return nil
    }
  }

  /// A value that was read, or what is wrong when it is none.
  mutating func take<Value>(_ member: String, _ value: Value?, else detail: String) -> Value? {
    if value == nil { fail(member, detail) }
    return value
  }

  /// Notes what is wrong with a member.
  mutating func fail(_ member: String, _ detail: String) { problems.append(Problem.Field(member, detail)) }
}
