internal import AdManager
internal import AdResponses
internal import Core
internal import Device
internal import Engine
internal import Hosting
internal import OMID
internal import RenderModel
internal import WebKitRuntime

/// Open Measurement of one ad, a page or a video: performs and logs the effects of its session.
@EngineActor final class OMIDController {
  private let context: AdContext
  private var session: OMIDSession
  /// Page with the service; nil for an ad that only the app measures.
  var page: AdPage?
  /// Returns the view that is the ad now; `isGone` indicates that the ad is over.
  private let view: () -> AdViewID
  private let isGone: () -> Bool
  /// Place in a pod, from 1; nil for the only video, and for a page.
  private let place: Int?
  private var element: Rect?
  /// Number of session observers, and numbers of other listeners by event type.
  private var observers = 0
  private var listeners: [String: Int] = [:]
  /// Scripts that were put into the page, by their ids, until their load has ended.
  private var loading: [String: OMIDScriptResource] = [:]
  private var scripts = 0
  /// Called when the load of a script has ended.
  var onScript: ((OMIDScriptResource, _ isLoaded: Bool) -> Void)?

  init(
    _ context: AdContext, _ facts: OMIDFacts, place: Int? = nil, view: @escaping () -> AdViewID,
    isGone: @escaping () -> Bool
  ) {
    self.context = context
    self.place = place
    self.view = view
    self.isGone = isGone
    session = OMIDSession(facts)
    context.measured.append(self)
  }

  /// Indicates that no script is loading.
  var scriptsHaveEnded: Bool { loading.isEmpty }

  /// Starts the session, as the ad is there.
  func begin() {
    look()
    apply(.begin)
  }

  /// Reports a possible change of the ad's visibility, or its end.
  func screenDidChange() {
    guard !context.isOver else { return }
    if session.isRunning, isGone() { return apply(.finish) }
    look()
  }

  /// Reports the volume of the device, from 0 to 100; does nothing for nil, an unknown volume.
  func volumeDidChange(_ volume: Double?) {
    if let volume { apply(.deviceVolume(volume / 100)) }
  }

  /// Reports an event of the video.
  func heard(_ media: OMIDMediaEvent) {
    look()
    apply(.media(media))
  }

  func fail(_ message: String) { apply(.failed(message)) }

  /// Ends the session, as the render is over or the ad leaves.
  func finish() { apply(.finish) }

  private func lookAgain() {
    guard !context.isOver else { return }
    look()
    apply(.due(at: context.render.recorder.now))
  }

  private func look() {
    let screen = context.render.stage.screen
    apply(.changed(AdViewState(of: view(), element: element, on: screen), at: context.render.recorder.now))
  }

  private func apply(_ input: OMIDSession.Input) {
    for effect in session.handle(input) {
      switch effect {
      case .publish(let event): publish(event)
      case .inject(let resources): for resource in resources { inject(named: resource) }
      case .measureLater(let delay):
        // It is none of the ad's own actions: nothing that the ad does waits for it.
        Task { @EngineActor [weak self, clock = context.render.clock] in
          await clock.sleep(for: Bounded.milliseconds(delay))
          self?.lookAgain()
        }
      case .ignored(let call, let reason): record(.ignored, ["call": .string(call), "reason": .string(reason)])
      }
    }
  }

  private func publish(_ event: OMIDEvent) {
    let heard = listeners[event.type, default: 0] + (event.isOfSession ? observers : 0)
    record(
      Event.Name(rawValue: event.type),
      [
        "adSessionId": .string(event.adSessionID), "data": .object(event.data), "listeners": .number(Double(heard)),
      ])
    send(["publish": event.json])
  }

  private func send(_ words: JSONValue) {
    guard let page else { return }
    let delivery = PageDelivery(script: "galley.tell('omid', words)", arguments: ["words": words.text]) {
      [recorder = context.render.recorder] in recorder.wakeWaiters()
    }
    context.render.turns.hand(delivery, to: page)
  }

  private func record(_ name: Event.Name, _ detail: [String: JSONValue]) {
    context.record(.omid, name, .object(placed(detail)))
  }

  private func placed(_ detail: [String: JSONValue]) -> [String: JSONValue] {
    guard let place else { return detail }
    // `ad` is the ad's name where there are several.
    return detail.merging([context.name == nil ? "ad" : "video": .number(Double(place))]) { $1 }
  }
}

extension OMIDController {
  /// Puts a script into the page, loaded from an address that is allowed.
  ///
  /// - Parameter isTracked: indicates if a document's tracking has beacons for a script that isn't run; nil for other
  ///   scripts.
  func inject(_ resource: OMIDScriptResource, from address: CreativeAddress, isTracked: Bool? = nil) {
    scripts += 1
    var resource = resource
    resource.id = "script-\(scripts)"
    loading[resource.id] = resource
    var detail: [String: JSONValue] = [
      "url": .string(context.addresses.display(address.url)), "accessMode": .string(resource.accessMode.rawValue),
      "parameters": .bool(resource.parameters != nil), "script": .string(resource.id),
    ]
    detail["vendor"] = resource.vendor.map { .string($0) }
    detail["tracked"] = isTracked.map { .bool($0) }
    record(.inject, detail)
    send(["inject": [resource.json(loadedFrom: address.url)]])
  }

  /// Puts a script into the page that a session client of the page named, if its address is allowed.
  private func inject(named resource: OMIDScriptResource) {
    guard let address = try? context.judge(resource.url, for: .verification) else { return }
    inject(resource, from: address)
  }

  /// Ends the wait for scripts whose load hasn't ended.
  func giveUpScripts() {
    for (id, resource) in loading.sorted(by: { $0.key < $1.key }) { end(id, resource, isLoaded: false) }
  }

  private func end(
    _ id: String, _ resource: OMIDScriptResource, isLoaded: Bool, _ controller: PageController? = nil
  ) {
    loading[id] = nil
    let name: Event.Name = isLoaded ? .scriptLoaded : .scriptFailed
    let detail: [String: JSONValue] = ["script": .string(id), "url": .string(resource.url)]
    if let controller { log(controller, name, detail) } else { record(name, detail) }
    onScript?(resource, isLoaded)
    context.render.recorder.wakeWaiters()
  }

  /// Handles a message of the service about listeners, calls of session clients and loads of scripts.
  func heard(_ message: OMIDMessage, from controller: PageController) {
    switch message {
    case .listens(let listener):
      let name: Event.Name = listener.type == nil ? .registerSessionObserver : .addEventListener
      log(controller, name, listener.detail, whenTold: { [weak self] in self?.count(listener) })
    case .call(let method, let call, let arguments):
      log(controller, .sessionClient, ["method": .string(method), "arguments": .array(arguments)]) { [weak self] in
        self?.look()
        self?.apply(.call(call))
      }
    case .script(let id, let isLoaded):
      guard let resource = loading[id] else { return }
      end(id, resource, isLoaded: isLoaded, controller)
    case .threw(let type, let message, let vendor, let script):
      var detail: [String: JSONValue] = ["type": .string(type), "message": .string(message)]
      detail["vendor"] = vendor.map { .string($0) }
      detail["script"] = script.map { .string($0) }
      log(controller, .listenerError, detail)
    case .refused(let method, let reason):
      log(controller, .ignored, ["call": .string(method), "reason": .string(reason)])
    case .element(let bounds):
      controller.process { [weak self] in
        self?.element = bounds
        self?.screenDidChange()
      }
    }
  }

  /// Logs in the turn of the ad's page, but directly for a page with only measuring code, which has no turn.
  ///
  /// An ad loads only after such a page.
  private func log(
    _ controller: PageController, _ name: Event.Name, _ detail: [String: JSONValue], whenTold: (() -> Void)? = nil,
    action: (() -> Void)? = nil
  ) {
    guard !controller.page.isMeasuring else {
      record(name, detail)
      whenTold?()
      action?()
      return
    }
    controller.logEvent(source: .omid, name, .object(placed(detail)), whenTold: whenTold, action: action)
  }

  private func count(_ listener: OMIDListener) {
    if listener.type == nil { observers += 1 }
    for type in listener.types { listeners[type, default: 0] += 1 }
  }
}

extension OMIDListener {
  /// Detail of the listener in the log.
  fileprivate var detail: [String: JSONValue] {
    var detail: [String: JSONValue] = ["by": .string(by)]
    detail["type"] = type.map { .string($0) }
    detail["vendor"] = vendor.map { .string($0) }
    detail["script"] = script.map { .string($0) }
    if !missed.isEmpty { detail["missed"] = .array(missed.map { .string($0) }) }
    return detail
  }
}

extension OMIDMediaEvent {
  /// Events of Open Measurement that correspond to an event of a video, in order.
  ///
  /// - Parameter isFullScreen: indicates that the player is full screen from the start.
  static func events(of event: TrackedEvent, duration: Double, isMuted: Bool, isFullScreen: Bool) -> [OMIDMediaEvent] {
    switch event.moment {
    case .impression?: [.impression]
    case .start?:
      [.start(duration: duration, volume: isMuted ? 0 : 1)] + (isFullScreen ? [.playerStateChange("fullscreen")] : [])
    case .firstQuartile?, .midpoint?, .thirdQuartile?, .complete?, .pause?, .resume?: [.plain(event.name)]
    case .mute?: [.volumeChange(0)]
    case .unmute?: [.volumeChange(1)]
    case .skip?, .closeLinear?: [.plain(Event.Name.skipped.rawValue)]
    case .expand?: [.playerStateChange("fullscreen")]
    case .collapse?: [.playerStateChange("normal")]
    case .creativeView?, .skippable?, .progress?: []
    case nil: event.isNamed(.click) ? [.adUserInteraction("click")] : []
    }
  }
}
