import Core

@testable import MRAID

/// Session with a host that lays out when `present` is called: a phone with a 320x50 banner, or an interstitial.
struct Container {
  static let allFeatures: Set<String> = ["sms", "tel", "calendar", "storePicture", "inlineVideo", "location", "vpaid"]
  static let maxSize = Size(width: 393, height: 759)
  static let slot = Rect(x: 36, y: 354, width: 320, height: 50)
  static let full = Exposure(
    exposedPercentage: 100, visibleRectangle: Rect(x: 0, y: 0, width: 320, height: 50))

  var session: MRAIDSession
  /// Latest presentation that the host was asked for and hasn't answered; nil for none.
  private(set) var asked: Presentation?

  init(
    _ placement: PlacementType = .inline, supports: Set<String> = Container.allFeatures, confirms: Bool = true,
    volume: Double? = 100, exposure: Exposure = .none, behaviour: ContainerBehaviour = .spec
  ) {
    let profile = HostProfile(
      placementType: placement, environment: ["version": "3.0", "sdk": "Galley", "sdkVersion": "1"],
      supports: supports, confirms: confirms, location: ["lat": 1, "lon": 2, "type": 2], volume: volume,
      behaviour: behaviour, scale: 3)
    session = MRAIDSession(profile: profile, geometry: Self.geometry(placement), exposure: exposure)
  }

  /// Creates a container in a state; nil if the placement never reaches it.
  init?(_ placement: PlacementType, in state: MRAIDState) {
    self.init(placement)
    if state != .loading { send(.loaded(.one)) }
    switch (state, placement) {
    case (.loading, _), (.default, _): return
    case (.expanded, .inline): call(.expand(url: nil))
    case (.resized, .inline):
      call(.setResizeProperties(Self.valid))
      call(.resize)
    case (.hidden, .interstitial): call(.close)
    default: return nil
    }
    present()
  }

  /// Resize properties that fit.
  static let valid: JSONValue = ["width": 320, "height": 250, "offsetX": 0, "offsetY": -100]

  static func geometry(_ placement: PlacementType, at rect: Rect? = nil) -> HostGeometry {
    let home = placement == .inline ? slot : Rect(origin: .zero, size: maxSize)
    return HostGeometry(
      screenSize: Size(width: 393, height: 852), maxSize: maxSize, defaultPosition: home, currentPosition: rect ?? home,
      orientation: .portrait)
  }

  @discardableResult
  mutating func send(_ input: MRAIDInput) -> [MRAIDEffect] {
    let effects = session.handle(input)
    for case .present(let presentation) in effects { asked = presentation }
    return effects
  }

  @discardableResult
  mutating func call(_ command: MRAIDCommand, from part: AdPart = .one, gesture: Bool = false) -> [MRAIDEffect] {
    send(.command(command, from: part, gesture: gesture))
  }

  /// Lays out the requested presentation and answers.
  @discardableResult
  mutating func present(_ exposure: Exposure? = nil, at time: Double? = nil) -> [MRAIDEffect] {
    guard let asked else { return [] }
    self.asked = nil
    let rect: Rect? =
      switch asked {
      case .default, .hidden: nil
      case .expanded: Rect(origin: .zero, size: Self.maxSize)
      case .resized(let frame, _): frame
      }
    let geometry = Self.geometry(session.profile.placementType, at: rect)
    return send(.presented(geometry, exposure ?? session.screen.exposure, at: time))
  }
}

extension [MRAIDEffect] {
  /// Returns the updates that are delivered to the part's page.
  func updates(_ part: AdPart = .one) -> [BridgeUpdate] {
    compactMap { if case .deliver(let update, part) = $0 { update } else { nil } }
  }

  /// Returns the events dispatched in the part's page, in order.
  func events(_ part: AdPart = .one) -> [MRAIDEvent] { updates(part).flatMap(\.events) }

  /// Returns the names of the events dispatched in the part's page.
  func names(_ part: AdPart = .one) -> [String] { events(part).map(\.name) }

  /// Returns the actions of `error` events in the part's page.
  func errors(_ part: AdPart = .one) -> [String] {
    events(part).filter { $0.name == "error" }.compactMap { $0.arguments.last?.string }
  }

  var presentations: [Presentation] {
    compactMap { if case .present(let presentation) = $0 { presentation } else { nil } }
  }
  var ignored: [MRAIDCommand] { compactMap { if case .ignored(let command, _) = $0 { command } else { nil } } }
}
