internal import Core
internal import Device
internal import Foundation
internal import MRAID
internal import OMID
internal import RenderModel

/// The scripts that each page of a render starts with.
struct PageScripts: Sendable {
  /// What scripts and the host's world find each other by, before the page's own scripts run; a secret.
  let channel: String
  /// The name of what a host's script in the page's world awaits, so that it isn't taken for a person.
  let task: String
  let device: Device
  /// The name under which every frame lists what can be tapped; a secret too, nil unless the render explores.
  let inventory: String?

  /// What chance begins with; nil leaves it to the engine.
  private let seed: UInt32?
  /// What pages are told of the person's consent; nil for nothing.
  private let consent: ConsentSignals?
  /// Whether pages live in a time that is stepped.
  private let isVirtualTime: Bool
  /// Whether pages may register service workers, which live as long as their session.
  private let hasServiceWorkers: Bool

  init(
    device: Device, explores: Bool = false, seed: UInt32? = nil, isVirtualTime: Bool = false,
    consent: ConsentSignals? = nil, isAloneInSession: Bool = false
  ) {
    // An app on iOS has none in its web views; Android's and browsers have them.
    hasServiceWorkers = isAloneInSession && !device.platform.hasPrefix("iP")
    self.consent = consent
    self.device = device
    self.seed = seed
    self.isVirtualTime = isVirtualTime
    inventory = explores ? Self.secret() : nil
    channel = Self.secret()
    task = Self.secret()
  }

  /// For every frame of a device that stands upright.
  var everyFrame: [String] { everyFrame(on: device.screen) }

  /// For every frame: what the page says, and what it sees of the device, whose screen is so large as it is held now.
  func everyFrame(on screen: Size) -> [String] {
    var scripts = [
      linked(PackageResources.observe_js),
      Self.text(PackageResources.device_js).replacing("__GALLEY_DEVICE__", with: deviceJSON(on: screen)),
      Self.text(PackageResources.fingers_js).replacing("__GALLEY_TOUCH__", with: "\(device.touch)"),
    ]
    if isVirtualTime { scripts += virtualClockScripts }
    scripts.append(Self.text(PackageResources.media_js))
    if let seed {
      scripts.append(Self.text(PackageResources.random_js).replacing("__GALLEY_SEED__", with: String(seed)))
    }
    if let consent {
      let facts = consent.script.text
      scripts.append(linked(PackageResources.consent_js).replacing("__GALLEY_CONSENT__", with: facts))
    }
    if let inventory {
      scripts.append(linked(PackageResources.inventory_js).replacing("__GALLEY_INVENTORY__", with: inventory))
    }
    return scripts
  }

  /// What pages whose time is stepped need in every frame.
  private var virtualClockScripts: [String] {
    [
      Self.text(PackageResources.frames_js),
      linked(PackageResources.films_js)
        .replacing("__GALLEY_FILMS__", with: Self.videosEvent(channel)),
      Self.text(PackageResources.sounds_js),
      Self.text(PackageResources.timers_js).replacing("__GALLEY_TIMERS__", with: Self.timersEvent(channel)),
    ]
  }

  /// For the host's world of every frame: what hands on to the host what these scripts of the top frame say.
  func relay(_ speakers: [HostMessage.Speaker]) -> String {
    let names = (speakers.map(\.rawValue) + ["page", "films", "inventory", "consent"]).map { "\"\($0)\"" }
    return Self.text(PackageResources.relay_js).replacing("__GALLEY_CHANNEL__", with: channel)
      .replacing("__GALLEY_LINKS__", with: "[\(names.joined(separator: ", "))]")
      .replacing("__GALLEY_BOXES__", with: "b\(UInt(bitPattern: channel.hashValue))-")
  }

  /// For the top frame: what scripts of the host's in the page's world await first.
  var ownTask: String { Self.text(PackageResources.task_js).replacing("__GALLEY_TASK__", with: task) }

  /// For the top frame of a page that is measured: the Open Measurement service.
  var omid: String { BridgeScript.linked(OMIDScript.source, channelName: channel) }

  private func linked(_ script: [UInt8]) -> String { BridgeScript.linked(Self.text(script), channelName: channel) }

  /// For the top frame: the bridge, with the session's properties as they are now.
  func bridge(_ session: MRAIDSession, template: String? = nil) -> String {
    BridgeScript.source(
      channelName: channel, properties: session.initialProperties,
      environment: session.profile.environment, behaviour: session.profile.behaviour.bridge, template: template)
  }

  /// The event that tells the device script of a turn, with `landscape` or `portrait` after it.
  ///
  /// A page may come to see it, so the channel's name can't be read from it.
  static func turnEvent(_ channel: String) -> String { "g\(UInt(bitPattern: channel.hashValue))-" }

  /// The event that has films shown as they are now or, told to one of them, asks whether it plays.
  static func videosEvent(_ channel: String) -> String { "f\(UInt(bitPattern: channel.hashValue))" }

  /// The event that asks whether timers of the page's are still to come; one that is cancelled says so.
  static func timersEvent(_ channel: String) -> String { "t\(UInt(bitPattern: channel.hashValue))" }

  /// The page that stands for the advertiser's, which isn't loaded unless asked.
  static func browserPage(what: String, url: String, note: String) -> [UInt8] {
    Array(
      text(PackageResources.browser_html).replacing("__GALLEY_WHAT__", with: MarkupText.html(what))
        .replacing("__GALLEY_URL__", with: MarkupText.html(url)).replacing("__GALLEY_NOTE__", with: MarkupText.html(note)).utf8)
  }

  /// The page that stands for an ad that couldn't be loaded.
  static func failurePage(code: String, message: String) -> [UInt8] {
    Array(
      text(PackageResources.failure_html).replacing("__GALLEY_CODE__", with: MarkupText.html(code))
        .replacing("__GALLEY_MESSAGE__", with: MarkupText.html(message)).utf8)
  }

  private func deviceJSON(on screen: Size) -> String {
    let vendor =
      device.platform.hasPrefix("iP") || device.platform.hasPrefix("Mac") ? "Apple Computer, Inc." : "Google Inc."
    let facts: JSONValue = [
      "scale": .number(device.scale), "touch": .bool(device.touch), "platform": .string(device.platform),
      "vendor": .string(vendor), "width": .number(screen.width), "height": .number(screen.height),
      "turns": .string(Self.turnEvent(channel)), "serviceWorkers": .bool(hasServiceWorkers),
    ]
    return JSONText.plain(facts) ?? "{}"
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func secret() -> String {
    "g" + (0..<4).map { _ in String(UInt32.random(in: .min ... .max), radix: 36) }.joined()
  }
}
