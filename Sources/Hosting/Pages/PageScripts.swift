package import Core
package import Device
internal import Foundation
package import MRAID
internal import OMID
package import RenderModel

/// Scripts that run at the start of each page of a render.
package struct PageScripts: Sendable {
  /// Secret by which scripts and the host's world find each other, before the page's own scripts run.
  package let channel: String
  /// Name of the object that a host's script in the page's world awaits, so that it doesn't count as a user action.
  package let task: String
  package let device: Device
  /// Name under which every frame lists its elements for taps; also secret, nil unless the render explores.
  package let inventory: String?

  /// Seed of pseudorandom numbers; nil leaves them to the engine.
  private let seed: UInt32?
  /// Consent signals of the user for pages; nil for none.
  private let consent: ConsentSignals?
  /// Indicates that pages live in virtual time.
  private let isVirtualTime: Bool
  /// Indicates that Web Audio is silent until a user touches the ad.
  private let audioNeedsTouch: Bool
  /// Indicates that pages may register service workers, which live as long as their session.
  private let hasServiceWorkers: Bool

  package init(
    device: Device, explores: Bool = false, seed: UInt32? = nil, isVirtualTime: Bool = false,
    consent: ConsentSignals? = nil, isAloneInSession: Bool = false, audioNeedsTouch: Bool = true
  ) {
    self.audioNeedsTouch = audioNeedsTouch
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

  /// Milliseconds after which Android treats a touch as a long press (`ViewConfiguration.getLongPressTimeout`).
  private static let longPress = 400

  /// Scripts for every frame of a device in its natural orientation.
  package var everyFrame: [String] { everyFrame(on: device.screen) }

  /// Scripts for every frame: they observe the page and simulate the device, whose screen has this size as it is held
  /// now.
  ///
  /// They are combined into one script, so that the page has no access to their shared objects.
  package func everyFrame(on screen: Size) -> [String] {
    [
      Self.text(PackageResources.frame_js)
        .replacing("__GALLEY_NATIVES__", with: Self.text(PackageResources.natives_js))
        .replacing("__GALLEY_FRAME__", with: Self.frameEvent(channel))
        .replacing("__GALLEY_SCRIPTS__", with: frameParts(on: screen).joined(separator: "\n"))
    ]
  }

  private func frameParts(on screen: Size) -> [String] {
    var scripts = [
      linked(PackageResources.observe_js),
      Self.text(PackageResources.device_js).replacing("__GALLEY_DEVICE__", with: deviceJSON(on: screen)),
      Self.text(PackageResources.features_js)
        .replacing("__GALLEY_FEATURES__", with: JSONText.plain(DeviceFeatures(device: device).json) ?? "{}"),
      Self.text(PackageResources.activation_js)
        .replacing("__GALLEY_SOUND_NEEDS_TOUCH__", with: "\(audioNeedsTouch)"),
      Self.text(PackageResources.fingers_js).replacing("__GALLEY_TOUCH__", with: "\(device.touch)")
        .replacing("__GALLEY_LONG_PRESS__", with: "\(DeviceSystem(device) == .android ? Self.longPress : 0)"),
      Self.text(PackageResources.stamps_js).replacing("__GALLEY_STEPPED__", with: "\(isVirtualTime)"),
    ]
    if isVirtualTime { scripts += virtualClockScripts }
    scripts.append(
      Self.text(PackageResources.audio_js).replacing("__GALLEY_STEPPED__", with: "\(isVirtualTime)")
        .replacing("__GALLEY_SOUNDS__", with: Self.soundsEvent(channel)))
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
    scripts.append(Self.text(PackageResources.shadows_js))
    return scripts
  }

  /// Scripts for every frame of pages in virtual time.
  private var virtualClockScripts: [String] {
    [
      Self.text(PackageResources.frames_js),
      linked(PackageResources.films_js)
        .replacing("__GALLEY_FILMS__", with: Self.videosEvent(channel)),
      Self.text(PackageResources.sounds_js),
      Self.text(PackageResources.timers_js).replacing("__GALLEY_TIMERS__", with: Self.timersEvent(channel)),
    ]
  }

  /// Script for the host's world of every frame, which passes on messages of these scripts of the top frame to the
  /// host.
  package func relay(_ speakers: [HostMessage.Speaker]) -> String {
    let names = (speakers.map(\.rawValue) + ["page", "films", "inventory", "consent"]).map { "\"\($0)\"" }
    return Self.text(PackageResources.relay_js).replacing("__GALLEY_CHANNEL__", with: channel)
      .replacing("__GALLEY_LINKS__", with: "[\(names.joined(separator: ", "))]")
      .replacing("__GALLEY_BOXES__", with: "b\(UInt(bitPattern: channel.hashValue))-")
  }

  /// Script for the top frame: defines the object that host scripts in the page's world await first.
  package var ownTask: String { Self.text(PackageResources.task_js).replacing("__GALLEY_TASK__", with: task) }

  /// Script for the top frame of a measured page: the Open Measurement service.
  package var omid: String { BridgeScript.linked(OMIDScript.source, channelName: channel) }

  private func linked(_ script: [UInt8]) -> String { BridgeScript.linked(Self.text(script), channelName: channel) }

  /// Script for the top frame, after the bridge: removes the engine's user activation state, which the bridge has read
  /// by then.
  package static let afterBridge = "if (navigator.userActivation) delete navigator.userActivation.isActive;"

  /// Script for the top frame: the bridge, with the present properties of the session.
  package func bridge(_ session: MRAIDSession, template: String? = nil) -> String {
    BridgeScript.source(
      channelName: channel, properties: session.initialProperties,
      environment: session.profile.environment, behaviour: session.profile.behaviour.bridge, template: template)
  }

  /// Name of the event that reports a rotation to the device script; `landscape` or `portrait` follows it.
  ///
  /// A page may see it, so the channel's name can't be derived from it.
  package static func turnEvent(_ channel: String) -> String { "g\(UInt(bitPattern: channel.hashValue))-" }

  /// Name of the event by which a window of the same origin gets objects that its frames share.
  private static func frameEvent(_ channel: String) -> String { "w\(UInt(bitPattern: channel.hashValue))" }

  /// Name of the event that makes videos show their present frame or, sent to one video, asks if it plays.
  package static func videosEvent(_ channel: String) -> String { "f\(UInt(bitPattern: channel.hashValue))" }

  /// Name of the event that asks a document if its window has audible Web Audio; it is cancelled to answer yes.
  package static func soundsEvent(_ channel: String) -> String { "s\(UInt(bitPattern: channel.hashValue))" }

  /// Name of the event that asks if timers of the page are pending; it is cancelled to answer yes.
  package static func timersEvent(_ channel: String) -> String { "t\(UInt(bitPattern: channel.hashValue))" }

  /// Page in place of the advertiser's, which isn't loaded unless the job asks for it.
  package static func browserPage(what: String, url: String, note: String) -> [UInt8] {
    Array(
      text(PackageResources.browser_html).replacing("__GALLEY_WHAT__", with: MarkupText.html(what))
        .replacing("__GALLEY_URL__", with: MarkupText.html(url)).replacing(
          "__GALLEY_NOTE__", with: MarkupText.html(note)
        ).utf8)
  }

  /// Page in place of an ad that couldn't be loaded.
  package static func failurePage(code: String, message: String) -> [UInt8] {
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
