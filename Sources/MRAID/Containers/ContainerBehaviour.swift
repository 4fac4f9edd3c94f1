internal import Core

/// Behaviour of a container where it may differ from MRAID 3.0; every default is the standard's.
package struct ContainerBehaviour: Hashable, Sendable, Codable {
  /// Unit of the sizes in `sizeChange`.
  package enum Unit: String, Hashable, Sendable, Codable, CaseIterable {
    /// Density-independent pixels, as everywhere else in MRAID.
    case dip
    /// The device's own pixels: dip times its scale.
    case physical
  }

  /// Behaviour of the standard, unchanged.
  package static let spec = ContainerBehaviour()

  /// Version that `getVersion()` and `MRAID_ENV` report.
  package var version = "3.0"
  /// Value of `MRAID_ENV.sdk`; nil for Galley's own name.
  package var sdk: String?
  /// The only placement type that the container has; nil for both.
  package var placement: PlacementType?
  /// Answers of `supports()` that are the same on every device, by feature.
  package var supports: [String: Bool] = [:]
  /// Events that are never sent, although listeners for them are accepted.
  package var silentEvents: Set<String> = []
  /// Order of the events in one delivery; events not named here keep their places.
  package var eventOrder: [String] = []
  /// Indicates if a new listener for exposureChange or audioVolumeChange receives the current value.
  package var answersListeners = true
  package var sizeChangeUnit = Unit.dip
  /// Indicates if a second part receives its state before `ready`.
  package var tellsStateBeforeReady = false
  /// Indicates if `setOrientationProperties` can keep the app from rotating.
  package var locksOrientation = true
  /// Seconds after which an interstitial gets its close control.
  package var closeDelay = 0.0
  /// Indicates if `open()` has no effect unless the user has just touched the ad.
  package var openNeedsGesture = false
  /// Indicates if the page's own viewport meta element applies, rather than the SDK's or none.
  package var readsViewport = true
  /// Indicates if Web Audio is silent until the user touches the ad, as in a web view with default settings.
  package var audioNeedsTouch = true
  /// Names of the scripts that pages request from the container, in lower case.
  package var scripts = ["mraid.js"]
  package var resize = ResizeRules()
  package var bridge = BridgeBehaviour()

  package init() {}
}

/// Rules of a container for resize properties, stricter or laxer than the standard.
package struct ResizeRules: Hashable, Sendable, Codable {
  /// Indicates if `allowOffscreen` is required.
  package var needsAllowOffscreen = false
  /// Indicates if an ad larger than maxSize is refused although it may go offscreen.
  package var boundsOffscreen = false
  /// Indicates if `setResizeProperties` checks the close region, rather than `resize()` alone.
  package var checksRegionEarly = true
  /// Indicates if the close region must be on screen even for an ad that may go offscreen.
  package var checksRegionOffscreen = true
  /// Indicates if the close region is placed by `customClosePosition`, as in MRAID 2.0.
  package var placesCloseRegion = false
  /// Indicates if a resized ad has the host's close control.
  package var hasCloseControl = true

  package init() {}
}

/// Differences in the page: the methods of `window.mraid` and the calls of listeners.
package struct BridgeBehaviour: Hashable, Sendable, Codable {
  package enum Order: String, Hashable, Sendable, Codable, CaseIterable {
    case oldestFirst, newestFirst
  }

  /// Interface between ads and the container.
  package enum Interface: String, Hashable, Sendable, Codable, CaseIterable {
    /// The standard's interface, `window.mraid`.
    case mraid
    /// The IAB's SafeFrame for web pages: `window.$sf.ext`, and no `mraid`.
    case safeframe
    /// An ad network's own for playables, and no `mraid`.
    case playable
  }

  package var interface = Interface.mraid
  /// Interface of a network for playables, if there is no other.
  package var playable = PlayableInterface()
  /// Indicates if `window.MRAID_ENV` exists.
  package var hasEnvironment = true
  /// Methods missing from `mraid`.
  package var missingMethods: Set<String> = []
  /// Methods that do nothing but raise `error`.
  package var refusedMethods: Set<String> = []
  /// Methods, including some outside the standard, whose calls are logged and have no effect.
  package var inertMethods: Set<String> = []
  package var listenerOrder = Order.oldestFirst
  /// Indicates if the next listener misses the event after a listener removes one while it runs.
  package var skipsRemoved = false
  /// Indicates if a listener's exception prevents the calls of later listeners.
  package var stopsAtException = false
  /// Rules by which the page itself checks calls, so that listeners receive `error` before the call returns; nil for no
  /// checks.
  package var errorsInCall: PageJudgement?
  /// Indicates if `removeEventListener(event)` without a listener removes all.
  package var removesAll = true

  package init() {}

  /// Configuration as the bridge script reads it.
  var json: JSONValue {
    func list(_ names: Set<String>) -> JSONValue { .array(names.sorted().map { .string($0) }) }
    return [
      "missing": list(missingMethods), "refused": list(refusedMethods), "inert": list(inertMethods),
      "newestFirst": .bool(listenerOrder == .newestFirst), "skipsRemoved": .bool(skipsRemoved),
      "stopsAtException": .bool(stopsAtException), "keepsUnnamed": .bool(!removesAll),
      "hidesEnvironment": .bool(!hasEnvironment), "errorsInCall": errorsInCall?.json ?? .null,
      "owns": list(owns), "playable": interface == .playable ? playable.json : .null,
    ]
  }

  /// Members of `window` that another interface than the standard's adds.
  private var owns: Set<String> {
    switch interface {
    case .mraid: []
    case .safeframe: ["$sf"]
    case .playable: Set(playable.owns)
    }
  }
}

/// Rules by which a page checks resize properties itself: those of the container that the page knows.
package struct PageJudgement: Hashable, Sendable, Codable {
  /// Indicates if `allowOffscreen` is required, and if an ad larger than maxSize is refused regardless of it.
  package var needsAllowOffscreen = false
  package var boundsOffscreen = false

  var json: JSONValue {
    ["needsAllowOffscreen": .bool(needsAllowOffscreen), "boundsOffscreen": .bool(boundsOffscreen)]
  }
}

extension ContainerBehaviour {
  /// Filters one delivery's events and puts them into the container's order; events not named there keep their places.
  func told(_ events: [MRAIDEvent]) -> [MRAIDEvent] {
    var sent = silentEvents.isEmpty ? events : events.filter { !silentEvents.contains($0.name) }
    let places = sent.indices.filter { eventOrder.contains(sent[$0].name) }
    guard places.count > 1 else { return sent }
    let ordered = places.sorted { (rank(sent[$0]), $0) < (rank(sent[$1]), $1) }.map { sent[$0] }
    for (place, event) in zip(places, ordered) { sent[place] = event }
    return sent
  }

  /// Returns the device's features that the container lets ads use, plus those that it always supports.
  package func supported(of features: Set<String>) -> Set<String> {
    let always = supports.filter(\.value).keys
    return features.union(always).filter { supports[$0] != false }
  }

  private func rank(_ event: MRAIDEvent) -> Int { eventOrder.firstIndex(of: event.name) ?? eventOrder.count }
}
