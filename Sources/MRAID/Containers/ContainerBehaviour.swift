internal import Core

/// Where a container departs from MRAID 3.0; every default is the standard's.
package struct ContainerBehaviour: Hashable, Sendable, Codable {
  /// Which pixels `sizeChange` counts in.
  package enum Unit: String, Hashable, Sendable, Codable {
    /// Density-independent, as everything else in MRAID.
    case dip
    /// The device's own: dip times its scale.
    case physical
  }

  /// The standard, unchanged.
  package static let spec = ContainerBehaviour()

  /// What `getVersion()` and `MRAID_ENV` say.
  package var version = "3.0"
  /// `MRAID_ENV.sdk`; nil for Galley's own name.
  package var sdk: String?
  /// The only placement there is; nil for both.
  package var placement: PlacementType?
  /// Answers of `supports()` that are the same on every device.
  package var supports: [String: Bool] = [:]
  /// Events that are never sent, though a listener for them is taken.
  package var silentEvents: Set<String> = []
  /// The order of one delivery's events; those not named keep their places.
  package var eventOrder: [String] = []
  /// Whether a listener for exposureChange or audioVolumeChange is answered with the value there is.
  package var answersListeners = true
  package var sizeChangeUnit = Unit.dip
  /// Whether a second part is told of its state before it gets `ready`.
  package var tellsStateBeforeReady = false
  /// Whether `setOrientationProperties` can keep the app from turning.
  package var locksOrientation = true
  /// Seconds after which an interstitial gets its close control.
  package var closeDelay = 0.0
  /// Whether `open()` does nothing unless the person has just touched the ad.
  package var openNeedsGesture = false
  /// Whether a page's own viewport meta element counts, rather than the SDK's or none.
  package var readsViewport = true
  package var resize = ResizeRules()
  package var bridge = BridgeBehaviour()

  package init() {}
}

/// What a container asks of resize properties beyond the standard, or doesn't.
package struct ResizeRules: Hashable, Sendable, Codable {
  /// Whether `allowOffscreen` has to be said.
  package var needsAllowOffscreen = false
  /// Whether an ad larger than maxSize is refused although it may go offscreen.
  package var boundsOffscreen = false
  /// Whether `setResizeProperties` looks for the close region, rather than `resize()` alone.
  package var checksRegionEarly = true
  /// Whether the close region of an ad that may go offscreen has to be on screen.
  package var checksRegionOffscreen = true
  /// Whether the close region is where `customClosePosition` wishes it, as in MRAID 2.0.
  package var placesCloseRegion = false
  /// Whether a resized ad has the host's close control at all.
  package var hasCloseControl = true

  package init() {}
}

/// What is different in the page: the methods of `window.mraid` and how listeners are called.
package struct BridgeBehaviour: Hashable, Sendable, Codable {
  package enum Order: String, Hashable, Sendable, Codable {
    case oldestFirst, newestFirst
  }

  /// By which interface ads speak to the container.
  package enum Interface: String, Hashable, Sendable, Codable {
    /// `window.mraid`.
    case mraid
    /// The IAB's SafeFrame for web pages: `window.$sf.ext`, and no `mraid`.
    case safeframe
  }

  package var interface = Interface.mraid
  /// Whether `window.MRAID_ENV` is there.
  package var hasEnvironment = true
  /// Methods that `mraid` doesn't have.
  package var missingMethods: Set<String> = []
  /// Methods that do nothing but raise `error`.
  package var refusedMethods: Set<String> = []
  /// Methods, also beside the standard's, whose calls are logged and have no effect.
  package var inertMethods: Set<String> = []
  package var listenerOrder = Order.oldestFirst
  /// Whether a listener that removes one while it runs makes the one after it miss the event.
  package var skipsRemoved = false
  /// Whether listeners after one that throws aren't called.
  package var stopsAtException = false
  /// What the page itself judges, so that listeners hear of `error` before the call returns; nil for nothing.
  package var errorsInCall: PageJudgement?
  /// Whether `removeEventListener(event)` without a listener removes all.
  package var removesAll = true

  package init() {}

  /// As the bridge script takes it.
  var json: JSONValue {
    func list(_ names: Set<String>) -> JSONValue { .array(names.sorted().map { .string($0) }) }
    return [
      "missing": list(missingMethods), "refused": list(refusedMethods), "inert": list(inertMethods),
      "newestFirst": .bool(listenerOrder == .newestFirst), "skipsRemoved": .bool(skipsRemoved),
      "stopsAtException": .bool(stopsAtException), "keepsUnnamed": .bool(!removesAll),
      "hidesEnvironment": .bool(!hasEnvironment), "errorsInCall": errorsInCall?.json ?? .null,
      "isSafeFrame": .bool(interface == .safeframe),
    ]
  }
}

/// What a page looks at in resize properties when it judges them itself: the container's rules, as far as it knows them.
package struct PageJudgement: Hashable, Sendable, Codable {
  /// Whether `allowOffscreen` has to be said, and whether an ad larger than maxSize is refused whatever it says.
  package var needsAllowOffscreen = false
  package var boundsOffscreen = false

  var json: JSONValue {
    ["needsAllowOffscreen": .bool(needsAllowOffscreen), "boundsOffscreen": .bool(boundsOffscreen)]
  }
}

extension ContainerBehaviour {
  /// What of one delivery's events is sent, in the container's order; those it doesn't name keep their places.
  func told(_ events: [MRAIDEvent]) -> [MRAIDEvent] {
    var sent = silentEvents.isEmpty ? events : events.filter { !silentEvents.contains($0.name) }
    let places = sent.indices.filter { eventOrder.contains(sent[$0].name) }
    guard places.count > 1 else { return sent }
    let ordered = places.sorted { (rank(sent[$0]), $0) < (rank(sent[$1]), $1) }.map { sent[$0] }
    for (place, event) in zip(places, ordered) { sent[place] = event }
    return sent
  }

  /// The features of a device's that the container lets ads use, and those it always does.
  package func supported(of features: Set<String>) -> Set<String> {
    let always = supports.filter(\.value).keys
    return features.union(always).filter { supports[$0] != false }
  }

  private func rank(_ event: MRAIDEvent) -> Int { eventOrder.firstIndex(of: event.name) ?? eventOrder.count }
}
