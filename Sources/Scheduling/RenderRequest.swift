internal import Application
internal import Checks
package import Comparison
internal import Core
package import Device
internal import FoundationEssentials
package import MRAID
package import Pixels
package import RenderModel
internal import Synchronization

/// The parameters of a render, without the creative itself, which is on the disk already.
package struct RenderRequest: Hashable, Sendable, Codable {
  /// Limits for exploring.
  package struct Exploring: Hashable, Sendable, Codable {
    package var actions: Int
    package var seconds: Double

    package init(actions: Int, seconds: Double) { (self.actions, self.seconds) = (actions, seconds) }
  }

  /// Settings of the video.
  package struct Film: Hashable, Sendable, Codable {
    package var formats: [FilmFormat]
    package var rate: FilmRequest.Rate?
    package var length: Double?
    /// True to record the whole screen instead of the ad alone.
    package var screen: Bool?
    /// True to play the scenario.
    package var states: Bool?

    package init(
      formats: [FilmFormat], rate: FilmRequest.Rate? = nil, length: Double? = nil, screen: Bool? = nil,
      states: Bool? = nil
    ) {
      (self.formats, self.rate, self.length, self.screen, self.states) = (formats, rate, length, screen, states)
    }
  }

  /// Treatment of requests that a recording doesn't contain.
  package enum Missing: String, CaseIterable, Hashable, Sendable, Codable {
    case refuse, live
  }

  /// The creative's display name, safe as part of a path.
  package var name: String
  /// The address to load; nil for a creative that was uploaded.
  package var url: String?
  /// Path of the creative in an uploaded zip that has several; nil for the zip's only one.
  package var entry: String?
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
  /// True to measure the creative and run checks.
  package var checks = false
  package var profiles: [String] = []
  package var callback: String?
  /// Maximum seconds of rendering, and of waiting in the queue.
  package var timeout = Limits().timeout
  package var queueTimeout: Double
  package var memory = Limits().memory
  /// Seconds for which an ad must stay in its state before the render ends.
  package var idleTime: Double?
  /// Seconds for which the ad's motion is measured.
  package var measureTime: Double?
  package var seed: UInt32?
  package var clock: RenderOptions.Clock?
  /// Start of the virtual time, in seconds since 1970; nil for the default.
  package var date: Double?
  package var at: [Double] = []
  package var network = true
  // What was added later is left out of requests that were written down before.
  package var filmstrip: CaptureSchedule.Filmstrip?
  package var measure: Bool?
  package var followClickthroughs: Bool?
  package var sendBeacons: Bool?
  package var compositing: RenderOptions.Compositing?
  /// Labels, which have no influence on the rendering.
  package var labels: [String: String]?
  package var film: Film?
  package var backup: BackupRequest?
  /// True to keep a recording of the creative's requests and their answers.
  package var record: Bool?
  /// The id of the render whose recording answers the requests.
  package var replay: String?
  /// SHA-256 of the recording's file that answers the requests; nil for none.
  package var recording: String?
  package var replayMissing: Missing?
  package var networkProfile: String?
  package var faults: [String]?
  package var consent: Consent?
  package var omid: Bool?
  package var locale: LanguageTag?
  package var timeZone: TimeZoneName?
  package var colorScheme: ColorScheme?
  package var reducedMotion: Bool?
  /// True to explore and check a playable in the hosts of the networks.
  package var playables: Bool?

  /// Creates a request in which all else has its default.
  package init(name: String, url: String?, queueTimeout: Double) {
    (self.name, self.url, self.queueTimeout) = (name, url, queueTimeout)
  }

  /// The user settings of the request.
  package var settings: UserSettings {
    UserSettings(locale: locale, timeZone: timeZone, colorScheme: colorScheme, reducedMotion: reducedMotion)
  }
}

/// A value that a request either names or describes.
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
  /// The job for the request, with a network policy of at most `reach`; unknown names are the caller's fault.
  ///
  /// - Parameter own: the creative's own scenario, which is played if the request has none.
  package func job(
    path: String?, own: Scenario? = nil, output: String, reach: NetworkPolicy
  ) throws(InvalidRequest) -> RenderJob {
    var names = NameReader()
    let device = device(&names)
    let networks = names.take("profiles") { () throws(Fault) in try ProfileCatalogue.standard.named(profiles) } ?? []
    let agreed = container == nil && playables != true ? ContainerProfile.agreed(on: networks) : nil
    let container = profile(&names) ?? agreed
    var played =
      scenario.flatMap { text in
        names.take("scenario") { () throws(Fault) in try ScenarioParser.parse(text, source: "scenario") }
      } ?? own
    if let backup, let device, backup.scale > device.renderScale {
      names.fail("backup", "has scale \(backup.scale), but \(device.name) renders \(device.renderScale) pixel per dip")
    }
    if let film {
      if film.states == true, played == nil {
        names.fail("film", "has states, which requires a scenario")
      }
      // An ad that is filmed by itself is left alone.
      if film.states != true { played = nil }
    }
    let side = side(&names)
    var wish = wish(&names)
    if playables == true, wish.isOpen { wish = PlacementRequest(kind: .interstitial) }
    guard names.problems.isEmpty, let device else { throw InvalidRequest(names.problems) }
    let shown = container.flatMap { $0.differences.isEmpty ? nil : $0 }
    let template = JobTemplate(
      device: device, orientation: side, wish: wish, container: shown,
      limits: Limits(timeout: timeout, memory: memory), options: options(network ? reach : .none),
      infersDevice: isDeviceOpen)
    var job = template.job(
      0, reference(to: path), output: output, scenario: played)
    job.options.film = film?.request(job.device)
    return job
  }

  /// The reference to the creative, which is at a path or else at the request's address.
  package func reference(to path: String?) -> CreativeReference {
    CreativeReference(argument: url ?? name, path: path, inner: entry, name: name)
  }

  /// True if the request names no device, and no scale of a backup image that only some devices draw.
  private var isDeviceOpen: Bool { device == nil && screen == nil && (backup?.scale ?? 1) == 1 }

  private func device(_ names: inout NameReader) -> Device? {
    if let screen { return names.take("screen") { () throws(Fault) in try Device.plain(screen: screen) } }
    switch device ?? .name(DeviceCatalogue.defaultName) {
    case .name(let name):
      let all = DeviceCatalogue.standard
      let list = "available devices: \(all.devices.map(\.name).joined(separator: ", "))"
      return names.take("device") { () throws(Fault) in try all.required(name, list: list) }
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
    return names.take(
      "orientation", AppOrientation(rawValue: orientation),
      else: "must be one of \(known)"
        + Suggestion.hint(for: orientation, among: AppOrientation.allCases.map(\.rawValue)))
  }

  private func wish(_ names: inout NameReader) -> PlacementRequest {
    let slot = size.flatMap { text in
      names.take("size", Size(slot: text), else: "must be like 320x50, each side from 1 to 10000")
    }
    let wish = PlacementRequest(kind: placement, size: slot, position: position)
    if wish.contradictsItself {
      names.fail("size", "requires a banner, as position does; an interstitial fills the screen")
    }
    return wish
  }

  /// The request with a fixed seed and date, so that repeated renders can be compared.
  ///
  /// They are those of the request, else those of its baseline, else 1 and the time of acceptance in milliseconds since
  /// 1970. A request that is answered by a recording stays unchanged, because the recording has its own.
  package func conditioned(by baseline: BaselineManifest?, acceptedAt created: Int64) -> RenderRequest {
    guard recording == nil, replay == nil else { return self }
    var request = self
    request.seed = seed ?? baseline?.seed ?? 1
    if clock ?? .virtual == .virtual { request.date = date ?? baseline?.date ?? Double(created / 1000) }
    return request
  }

  private func options(_ reach: NetworkPolicy) -> RenderOptions {
    let captures = CaptureSchedule(instants: at, filmstrip: filmstrip)
    return RenderOptions(
      followsClickthroughs: followClickthroughs ?? false, network: reach, idleTime: idleTime,
      measureTime: measureTime, clock: clock ?? .virtual, date: date,
      measures: checks || measure == true, compositing: compositing ?? .automatic, captures: captures, seed: seed,
      sendsBeacons: sendBeacons ?? false, traffic: traffic, consent: consent, omid: omid ?? false,
      settings: settings)
  }
}

extension RenderRequest {
  /// Options for the worker; nil if requests go to the network unchanged.
  package var traffic: TrafficOptions? {
    let mode: TrafficOptions.Mode =
      record == true ? .record : recording == nil ? .live : replayMissing == .live ? .replayOrLive : .replay
    guard mode != .live || networkProfile != nil || faults?.isEmpty == false else { return nil }
    return TrafficOptions(mode, profile: networkProfile, faults: faults ?? [])
  }
}

extension RenderRequest.Film {
  /// The worker's settings for the video on a device.
  fileprivate func request(_ device: Device) -> FilmRequest {
    let (plays, isWhole) = (states == true, states == true || screen == true)
    return FilmRequest(
      rate: rate ?? .half, length: length ?? (plays ? 60 : 15), view: isWhole ? .screen : .ad,
      scale: isWhole ? 1 : device.renderScale, playsScenario: plays)
  }
}

extension RenderRequest {
  /// JSON for the store; equal requests give equal text.
  package var text: String { JSONText.plain(self) ?? "{}" }

  /// Indicates if the request has labels; only labelled renders wait for a review when there is no baseline yet.
  package var isLabelled: Bool { labels?.isEmpty == false }

  /// Hash of everything that determines the rendering, the same for requests that treat a creative in the same way.
  package var recipe: String {
    var bare = self
    (bare.name, bare.callback, bare.queueTimeout, bare.labels, bare.date) = ("", nil, 0, nil, nil)
    return Document.hash(of: Array(bare.text.utf8))
  }

  /// Reads a stored request; nil if it is invalid or of a later Galley. Names from before schema 2 are translated.
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

/// Cache of recently parsed requests by their text.
///
/// The request of a render is read about seven times, and the renders of a batch have the same one.
private final class RequestCache: Sendable {
  static let shared = RequestCache()
  private let kept = Mutex<[String: RenderRequest]>([:])
  private static let most = 128
  /// Maximum length in bytes. Longer requests carry a scenario or tags, and rarely repeat.
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
