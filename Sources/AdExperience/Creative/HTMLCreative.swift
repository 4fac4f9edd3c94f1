package import MRAID

/// An HTML or MRAID creative: its session decides, this carries the session's effects to the ad manager and the host.
package final class HTMLCreative: Creative {
  package weak var delegate: (any CreativeDelegate)?
  package private(set) var session: MRAIDSession
  private unowned let host: any CreativeHost
  private var isGone = false

  package init(session: MRAIDSession, host: any CreativeHost) {
    self.session = session
    self.host = host
  }

  package var displayView: AdViewID { .creative }

  /// Whether the creative's second part is what its modal state shows.
  package private(set) var showsSecondPart = false

  /// The page of `part` called the bridge.
  package func handle(_ command: MRAIDCommand, from part: AdPart, gesture: Bool) {
    send(.command(command, from: part, gesture: gesture))
  }

  /// The page of `part` is loaded: it gets `ready`.
  package func pageDidLoad(_ part: AdPart) {
    send(.loaded(part))
  }

  package func didDisplay() {
    delegate?.creativeDidDisplay(self)
    screenDidChange()
  }

  package func pause() { screenDidChange() }

  package func resume() { screenDidChange() }

  package func hostClosed() {
    send(.hostClose)
  }

  /// Rotation, scroll or another change of the screen; getters first, events then.
  package func screenDidChange() {
    send(.geometryChanged(host.geometry, host.exposure, at: host.now))
  }

  /// Only what covers or uncovers the ad changed.
  package func exposureDidChange() {
    send(.exposureChanged(host.exposure, at: host.now))
  }

  /// 0–100, nil when unknown.
  package func volumeDidChange(_ volume: Double?) {
    send(.volumeChanged(volume))
  }

  private func send(_ input: MRAIDInput) {
    guard !isGone else { return }
    let before = session.lastTransition
    let effects = session.handle(input)
    if let transition = session.lastTransition, transition != before || input.isPresented {
      host.stateChanged(transition)
    }
    for effect in effects { carryOut(effect) }
  }

  private func carryOut(_ effect: MRAIDEffect) {
    switch effect {
    case .deliver(let update, let part): host.deliver(update, to: part)
    case .present(let presentation): present(presentation)
    case .open(let url, let gesture): open(url, gesture: gesture)
    case .playVideo(let uri): playVideo(uri)
    case .storePicture(let uri, let confirmed):
      host.record(.host, "storePicture", ["uri": .string(uri), "confirmed": .bool(confirmed)])
    case .createCalendarEvent(let event, let confirmed):
      host.record(.host, "createCalendarEvent", ["event": event, "confirmed": .bool(confirmed)])
    case .orientation(let properties): orient(properties)
    case .customClose(let wanted):
      host.record(.host, "useCustomClose", ["wanted": .bool(wanted), "hostDraws": true])
    case .unload: unload()
    case .vpaid(let phase): host.record(.mraid, "vpaid", ["phase": .string(phase)])
    case .scheduleExposure(let delay): scheduleExposure(after: delay)
    case .ignored(let command, let reason):
      host.record(.mraid, "ignored", ["command": .string(command.name), "reason": .string(reason)])
    case .premature(let command):
      host.record(.mraid, "premature", ["command": .string(command.name)])
    }
  }

  private func present(_ presentation: Presentation) {
    switch presentation {
    case .expanded(let url): expand(url)
    case .resized(let frame, let closePosition):
      show(ModalState(
        kind: .resized, displayView: .creative,
        properties: InterstitialDisplayProperties(contentFrame: frame, closePosition: closePosition)))
    case .default, .hidden:
      host.restoreOrientation()
      delegate?.creativeShouldCloseModalState(self) { [weak self] in
        guard let self else { return }
        if showsSecondPart {
          showsSecondPart = false
          host.discardSecondPart()
        }
        send(.presented(host.geometry, host.exposure, at: host.now))
        if presentation == .hidden { interstitialDidClose() }
      }
    }
  }

  private func expand(_ url: String?) {
    guard let url else { return show(ModalState(kind: .expanded, displayView: .creative)) }
    guard host.loadSecondPart(url) else {
      return send(.presentationFailed("the second part \(url) can't be loaded"))
    }
    showsSecondPart = true
    show(ModalState(kind: .expanded, displayView: .secondPart, presentingView: .creative))
  }

  private func show(_ state: ModalState) {
    delegate?.creativeShouldDisplayModalState(self, state) { [weak self] in
      guard let self else { return }
      send(.presented(host.geometry, host.exposure, at: host.now))
    }
  }

  /// The person followed a link that bypassed `mraid.open`; SDKs catch it and go on as if it had been called.
  package func clickedThrough(to url: String) {
    guard !isGone else { return }
    goThrough(to: url)
  }

  private func open(_ url: String, gesture: Bool) {
    host.record(.host, "open", ["url": .string(url), "gesture": .bool(gesture)])
    goThrough(to: url)
  }

  private func goThrough(to url: String) {
    delegate?.creativeWasClicked(self)
    guard Self.staysInApp(url) else {
      delegate?.creativeInterstitialDidLeaveApp(self)
      return
    }
    let state = ModalState(kind: .browser(url: url), displayView: .browser, presentingView: .creative)
    delegate?.creativeShouldDisplayModalState(self, state) { [weak self] in self?.exposureDidChange() }
  }

  private func playVideo(_ uri: String) {
    host.record(.host, "playVideo", ["uri": .string(uri)])
    let state = ModalState(kind: .video(url: uri), displayView: .browser, presentingView: .creative)
    delegate?.creativeShouldDisplayModalState(self, state) { [weak self] in self?.exposureDidChange() }
  }

  private func orient(_ properties: OrientationProperties) {
    host.apply(properties)
    let geometry = host.geometry
    if geometry.orientation != session.geometry.orientation { host.schedule(after: 0) { [weak self] in self?.screenDidChange() } }
  }

  private func scheduleExposure(after delay: Double) {
    host.schedule(after: delay) { [weak self] in
      guard let self else { return }
      send(.exposureDue(at: host.now))
    }
  }

  private func unload() {
    isGone = true
    delegate?.creativeDidUnload(self)
  }

  private func interstitialDidClose() {
    delegate?.creativeInterstitialDidClose(self)
    delegate?.creativeDidComplete(self)
  }

  /// http, https and the like open in the app's own browser; telephone, message and store links leave the app.
  private static func staysInApp(_ url: String) -> Bool {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    return ["http", "https", "about", "data", "creative"].contains(scheme) || !url.contains(":")
  }
}

extension MRAIDInput {
  /// Whether it ends a transition, which counts even where the state stays the same (resized to resized).
  fileprivate var isPresented: Bool { if case .presented = self { true } else { false } }
}

extension MRAIDCommand {
  /// The bridge method's name.
  package var name: String {
    switch self {
    case .expand: "expand"
    case .resize: "resize"
    case .close: "close"
    case .unload: "unload"
    case .open: "open"
    case .useCustomClose: "useCustomClose"
    case .setExpandProperties: "setExpandProperties"
    case .setResizeProperties: "setResizeProperties"
    case .setOrientationProperties: "setOrientationProperties"
    case .playVideo: "playVideo"
    case .storePicture: "storePicture"
    case .createCalendarEvent: "createCalendarEvent"
    case .initVpaid: "initVpaid"
    case .addEventListener: "addEventListener"
    case .misuse(let action, _): action
    }
  }
}
