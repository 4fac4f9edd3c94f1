internal import Core

/// Open Measurement session of one ad as the app's SDK runs it, as a value: inputs return the events to publish.
///
/// The order is that of SDKs: `sessionStart`, `loaded`, `impression`, and from then on changes. A listener that
/// registers late gets the earlier events from the page's service.
package struct OMIDSession: Sendable {
  /// Event that the session handles.
  package enum Input: Hashable, Sendable {
    /// The ad has loaded: the app's SDK starts its session.
    case begin
    /// The ad's position or visibility changed, at a time in ms.
    case changed(AdViewState, at: Double)
    /// The delay that `.measureLater` requested is over.
    case due(at: Double)
    /// The player reported an event.
    case media(OMIDMediaEvent)
    /// The device's volume changed, from 0 to 1.
    case deviceVolume(Double)
    case failed(String)
    /// A session client made a call.
    case call(OMIDCall)
    /// The ad is gone.
    case finish
  }

  /// Action that follows from an input.
  package enum Effect: Hashable, Sendable {
    /// Publishes an event to all listeners.
    case publish(OMIDEvent)
    /// Loads the scripts that a session client names.
    case inject([OMIDScriptResource])
    /// Requests `.due` after this many ms.
    case measureLater(after: Double)
    /// Reports a call that had no effect, with the reason.
    case ignored(String, reason: String)
  }

  /// Layer that reports an event: the app or a session client.
  private enum Owner: String { case native, javascript }

  private enum Phase { case waiting, running, over }

  private let facts: OMIDFacts
  private var phase = Phase.waiting
  private var sessions = 0
  private var sessionOwner = Owner.native
  private var client: OMIDClient?
  private var contentURL: String?
  private var creativeType: String?
  private var impressionType: String?
  private var adEvents = Owner.native
  private var mediaEvents = Owner.native
  private var hasLoaded = false
  private var hasImpression = false
  private var hasStartedMedia = false
  /// Calls that a session client made before the session began.
  private var early: [OMIDCall] = []
  private var deviceVolume = 1.0
  private var playerVolume = 1.0
  private var state = AdViewState.notFound(viewport: .zero)
  private var told: AdViewState?
  private var toldAt = -Double.infinity
  private var now = 0.0
  private var timerRuns = false

  package init(_ facts: OMIDFacts) { self.facts = facts }

  package var isRunning: Bool { phase == .running }

  /// Indicates that the ad's impression was counted.
  package var hasCounted: Bool { hasImpression }

  /// Minimum time in ms between two reported geometry changes, as SDKs check five times per second.
  private static let interval = 200.0
  /// Maximum number of calls of a session client that are kept until the session begins.
  private static let mostEarly = 50
  /// Maximum number of sessions of one page; a pod has a few.
  private static let mostSessions = 50

  /// Handles one input and returns the actions that follow, in order.
  package mutating func handle(_ input: Input) -> [Effect] {
    switch input {
    case .begin: return phase == .waiting ? start(.native) : []
    case .changed(let new, let time): return change(to: new, at: time)
    case .due(let time):
      (timerRuns, now) = (false, time)
      return measure()
    case .media(let event): return isRunning && mediaEvents == .native ? publish(event) : []
    case .deviceVolume(let volume):
      deviceVolume = volume
      return isRunning && hasStartedMedia ? [event("volumeChange", volumes)] : []
    case .failed(let message): return isRunning ? [error(facts.kind == .film ? "video" : "generic", message)] : []
    case .call(let call): return handle(call)
    case .finish:
      guard isRunning else { return [] }
      phase = .over
      return [event("sessionFinish")]
    }
  }

  private mutating func start(_ owner: Owner) -> [Effect] {
    phase = .running
    sessions += 1
    sessionOwner = owner
    (hasLoaded, hasImpression, hasStartedMedia, told) = (false, false, false, nil)
    let calls = early
    early = []
    var effects = [event("sessionStart", startData)]
    if adEvents == .native { effects += load(facts.vast) }
    for call in calls { effects += handle(call) }
    return effects + (owner == .javascript ? measure() : [])
  }

  private mutating func load(_ vast: OMIDVastProperties?) -> [Effect] {
    guard !hasLoaded else { return [] }
    hasLoaded = true
    return [event("loaded", types.merging(vast?.members ?? [:]) { $1 })]
  }

  private mutating func count() -> [Effect] {
    hasImpression = true
    return [event("impression", types.merging(state.members) { $1 })]
  }

  /// Handles a change of the view; it counts a display ad once a part of it is on the screen.
  ///
  /// A video is counted at its first frame.
  private mutating func change(to new: AdViewState, at time: Double) -> [Effect] {
    (state, now) = (new, time)
    guard isRunning else { return [] }
    let counts = !hasImpression && adEvents == .native && facts.kind != .film && new.isOnScreen
    return (counts ? count() : []) + measure()
  }

  private mutating func measure() -> [Effect] {
    guard isRunning, hasImpression, state != told else { return [] }
    guard told != nil || state.isFound else { return [] }
    let left = toldAt + Self.interval - now
    if told != nil, left > 0 {
      guard !timerRuns else { return [] }
      timerRuns = true
      return [.measureLater(after: left)]
    }
    (told, toldAt) = (state, now)
    return [event("geometryChange", state.members)]
  }

  private mutating func publish(_ media: OMIDMediaEvent) -> [Effect] {
    switch media {
    case .impression: return hasImpression || adEvents != .native ? [] : count() + measure()
    case .start(let duration, let volume):
      (hasStartedMedia, playerVolume) = (true, volume)
      return [event("start", volumes.merging(["duration": .number(duration)]) { $1 })]
    case .volumeChange(let volume):
      playerVolume = volume
      return [event("volumeChange", volumes)]
    case .playerStateChange(let state): return [event("playerStateChange", ["state": .string(state)])]
    case .adUserInteraction(let kind): return [event("adUserInteraction", ["interactionType": .string(kind)])]
    case .plain(let name): return [event(name)]
    }
  }

  private func event(_ type: String, _ data: [String: JSONValue] = [:]) -> Effect {
    .publish(OMIDEvent(type: type, adSessionID: facts.sessionID(sessions), data: data))
  }

  private func error(_ type: String, _ message: String) -> Effect {
    event("sessionError", ["errorType": .string(type), "message": .string(message)])
  }

  private var volumes: [String: JSONValue] {
    [
      "mediaPlayerVolume": .number(playerVolume), "videoPlayerVolume": .number(playerVolume),
      "deviceVolume": .number(deviceVolume),
    ]
  }

  /// Types of the creative, of its impression and of its media.
  private var types: [String: JSONValue] {
    let own = adEvents == .native ? (facts.creativeType, "beginToRender") : (Self.open, Self.open)
    let type = creativeType ?? own.0
    return [
      "creativeType": .string(type), "impressionType": .string(impressionType ?? own.1),
      "mediaType": ["video", "audio"].contains(type) ? "video" : "display",
    ]
  }

  /// Placeholder until a session client defines the type.
  private static let open = "definedByJavaScript"

  private var startData: [String: JSONValue] {
    let context = facts.context(client: client, isJavaScripts: sessionOwner == .javascript)
    return types.merging([
      "context": .object(context), "supportsLoadedEvent": true, "pageUrl": .null,
      "contentUrl": contentURL.map { .string($0) } ?? .null,
    ]) { $1 }
  }
}

extension OMIDSession {
  /// Handles a call of a session client; most calls only count if the client registered for such events first.
  private mutating func handle(_ call: OMIDCall) -> [Effect] {
    switch call {
    case .clientInfo(let client):
      if phase == .over { reset() }
      self.client = client
    case .inject(let resources): return [.inject(resources)]
    case .contentURL(let url): contentURL = url
    case .registerAdEvents: return own(\.adEvents, unless: hasImpression, "registerAdEvents")
    case .registerMediaEvents: return own(\.mediaEvents, unless: hasStartedMedia, "registerMediaEvents")
    case .creativeType(let type): return define(\.creativeType, type, "setCreativeType")
    case .impressionType(let type): return define(\.impressionType, type, "setImpressionType")
    case .start:
      guard !isRunning else { return [.ignored("startSession", reason: "a session runs already")] }
      guard sessions < Self.mostSessions else {
        return [.ignored("startSession", reason: "it had \(Self.mostSessions) sessions already")]
      }
      return start(.javascript)
    case .finish:
      guard isRunning else { return [.ignored("finishSession", reason: Self.noSession)] }
      return handle(Input.finish)
    case .error(let type, let message):
      guard isRunning else { return wait(call, "sessionError") }
      return [error(type, message)]
    case .loaded(let vast):
      guard isRunning else { return wait(call, "loaded") }
      guard adEvents == .javascript else { return [.ignored("loaded", reason: Self.appsAdEvents)] }
      guard !hasLoaded else { return [.ignored("loaded", reason: "it was said already")] }
      return load(vast)
    case .impression:
      guard isRunning else { return wait(call, "impressionOccurred") }
      guard adEvents == .javascript else { return [.ignored("impressionOccurred", reason: Self.appsAdEvents)] }
      guard !hasImpression else { return [.ignored("impressionOccurred", reason: "the ad was counted already")] }
      return count() + measure()
    case .media(let event):
      guard isRunning else { return wait(call, event.name) }
      guard mediaEvents == .javascript else { return [.ignored(event.name, reason: Self.appsMediaEvents)] }
      return publish(event)
    case .malformed(let method): return [.ignored(method, reason: "its arguments aren't what the standard has")]
    }
    return []
  }

  private static let noSession = "no session runs"
  private static let appsAdEvents =
    "the session's ad events are the app's: registerAdEvents comes before the impression"
  private static let appsMediaEvents = "the session's media events are the app's: registerMediaEvents comes first"

  /// Resets the state for a new client after a session's end: its calls concern the next session.
  private mutating func reset() {
    phase = .waiting
    (adEvents, mediaEvents) = (.native, .native)
    (creativeType, impressionType, contentURL) = (nil, nil, nil)
    (hasLoaded, hasImpression, hasStartedMedia) = (false, false, false)
  }

  private mutating func own(
    _ events: WritableKeyPath<OMIDSession, Owner>, unless isLate: Bool, _ method: String
  ) -> [Effect] {
    guard !isLate else { return [.ignored(method, reason: "the app has told them already")] }
    self[keyPath: events] = .javascript
    return []
  }

  private mutating func define(
    _ type: WritableKeyPath<OMIDSession, String?>, _ value: String, _ method: String
  ) -> [Effect] {
    guard adEvents == .javascript || phase == .waiting else { return [.ignored(method, reason: Self.appsAdEvents)] }
    guard !hasImpression, !hasLoaded else { return [.ignored(method, reason: "the ad has loaded already")] }
    self[keyPath: type] = value
    return []
  }

  private mutating func wait(_ call: OMIDCall, _ method: String) -> [Effect] {
    guard phase == .waiting, early.count < Self.mostEarly else { return [.ignored(method, reason: Self.noSession)] }
    early.append(call)
    return []
  }
}
