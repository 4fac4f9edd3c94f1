import Core
import Testing

@testable import MRAID

/// Every cell of the standard's table of states and calls, for both placements.
@Suite struct StateTableTests {
  enum Outcome: Sendable {
    case none
    case to(Presentation)
    case error
  }
  struct Cell: Sendable, CustomTestStringConvertible {
    var placement: PlacementType
    var state: MRAIDState
    var command: MRAIDCommand
    var outcome: Outcome
    var testDescription: String { "\(command) in \(state), \(placement)" }
  }

  static let frame = Rect(x: 36, y: 254, width: 320, height: 250)
  static let resized = Presentation.resized(frame: frame, closePosition: .topRight)
  static let expanded = Presentation.expanded(url: nil)
  static let cells: [Cell] = [
    Cell(placement: .inline, state: .loading, command: .expand(url: nil), outcome: .none),
    Cell(placement: .inline, state: .loading, command: .resize, outcome: .none),
    Cell(placement: .inline, state: .loading, command: .close, outcome: .none),
    Cell(placement: .inline, state: .default, command: .expand(url: nil), outcome: .to(expanded)),
    Cell(placement: .inline, state: .default, command: .resize, outcome: .to(resized)),
    Cell(placement: .inline, state: .default, command: .close, outcome: .none),
    Cell(placement: .inline, state: .expanded, command: .expand(url: nil), outcome: .none),
    Cell(placement: .inline, state: .expanded, command: .resize, outcome: .error),
    Cell(placement: .inline, state: .expanded, command: .close, outcome: .to(.default)),
    Cell(placement: .inline, state: .resized, command: .expand(url: nil), outcome: .to(expanded)),
    Cell(placement: .inline, state: .resized, command: .resize, outcome: .to(resized)),
    Cell(placement: .inline, state: .resized, command: .close, outcome: .to(.default)),
    Cell(placement: .interstitial, state: .loading, command: .expand(url: nil), outcome: .none),
    Cell(placement: .interstitial, state: .loading, command: .resize, outcome: .none),
    Cell(placement: .interstitial, state: .loading, command: .close, outcome: .none),
    Cell(placement: .interstitial, state: .default, command: .expand(url: nil), outcome: .none),
    Cell(placement: .interstitial, state: .default, command: .resize, outcome: .none),
    Cell(placement: .interstitial, state: .default, command: .close, outcome: .to(.hidden)),
    Cell(placement: .interstitial, state: .hidden, command: .expand(url: nil), outcome: .none),
    Cell(placement: .interstitial, state: .hidden, command: .resize, outcome: .none),
    Cell(placement: .interstitial, state: .hidden, command: .close, outcome: .none),
  ]

  static func prepared(_ placement: PlacementType, _ state: MRAIDState) throws -> Container {
    var container = try #require(Container(placement, in: state))
    if state != .loading, state != .hidden { container.call(.setResizeProperties(Container.valid)) }
    return container
  }

  @Test(arguments: cells)
  func cellHasItsOutcomeAndTheStateWaits(_ cell: Cell) throws {
    var container = try Self.prepared(cell.placement, cell.state)
    let before = container.session.initialProperties
    let effects = container.call(cell.command)
    #expect(container.session.state == cell.state)
    #expect(container.session.initialProperties == before)
    switch cell.outcome {
    case .none:
      #expect(effects.ignored == [cell.command])
      #expect(effects.count == 1)
    case .to(let presentation): #expect(effects == [.present(presentation)])
    case .error: #expect(effects.errors() == ["resize"])
    }
  }

  @Test(arguments: cells.filter { if case .to = $0.outcome { true } else { false } })
  func stateChangesWhenTheHostHasPresented(_ cell: Cell) throws {
    var container = try Self.prepared(cell.placement, cell.state)
    container.call(cell.command)
    let effects = container.present()
    let target: MRAIDState =
      switch cell.command {
      case .expand: .expanded
      case .resize: .resized
      default: cell.placement == .inline ? .default : .hidden
      }
    #expect(container.session.state == target)
    #expect(effects.events().last == MRAIDEvent("stateChange", [.string(target.rawValue)]))
    let transition = container.session.lastTransition
    #expect(transition?.from == cell.state)
    #expect(transition?.to == target)
  }

  @Test(arguments: cells.filter { if case .to = $0.outcome { true } else { false } })
  func failureToPresentIsAnErrorAndChangesNothing(_ cell: Cell) throws {
    var container = try Self.prepared(cell.placement, cell.state)
    let before = container.session.initialProperties
    container.call(cell.command)
    let effects = container.send(.presentationFailed("no screen"))
    let action =
      switch cell.command {
      case .expand: "expand"
      case .resize: "resize"
      default: "close"
      }
    #expect(effects.events() == [MRAIDEvent("error", ["no screen", .string(action)])])
    #expect(container.session.state == cell.state)
    #expect(container.session.initialProperties == before)
  }

  static let closable: [(PlacementType, MRAIDState)] = [
    (.inline, .loading), (.inline, .default), (.inline, .expanded), (.inline, .resized), (.interstitial, .loading),
    (.interstitial, .default), (.interstitial, .hidden),
  ]

  @Test(arguments: closable)
  func hostCloseHasTheOutcomeOfClose(_ placement: PlacementType, _ state: MRAIDState) throws {
    var byPage = try Self.prepared(placement, state)
    var byHost = byPage
    #expect(byHost.send(.hostClose) == byPage.call(.close))
    let events = byHost.present().events()
    #expect(events == byPage.present().events())
    #expect(byHost.session.state == byPage.session.state)
    if byPage.session.state != state { #expect(byHost.session.lastTransition?.cause == "hostClose") }
  }

  static let everyCommand: [MRAIDCommand] = [
    .expand(url: nil), .expand(url: "two.html"), .resize, .close, .open(url: "https://a.example"),
    .useCustomClose(true), .setExpandProperties(["width": 1]), .setResizeProperties(Container.valid),
    .setOrientationProperties(["forceOrientation": "landscape"]), .playVideo(uri: "v.mp4"),
    .storePicture(uri: "p.png"), .createCalendarEvent(["description": "d"]), .initVpaid,
    .misuse(action: "open", message: "m"),
  ]

  @Test(arguments: everyCommand)
  func nothingHasAnEffectWhenHidden(_ command: MRAIDCommand) throws {
    var container = try #require(Container(.interstitial, in: .hidden))
    let before = container.session.initialProperties
    let effects = container.call(command)
    #expect(effects.ignored == [command])
    #expect(effects.names() == [])
    #expect(effects.count == effects.updates().count + 1)
    #expect(container.session.initialProperties == before)
  }

  @Test(arguments: everyCommand)
  func callsBeforeReadyRaiseNoErrorAndStartNothing(_ command: MRAIDCommand) {
    var container = Container()
    let effects = container.call(command)
    #expect(effects.updates() == [])
    #expect(effects.presentations == [])
    #expect(effects.ignored == [command] || effects.first == .premature(command))
  }

  @Test(arguments: closable)
  func unloadIsLegalInAnyState(_ placement: PlacementType, _ state: MRAIDState) throws {
    var container = try Self.prepared(placement, state)
    #expect(container.call(.unload) == [.unload])
    #expect(container.session.isUnloaded)
    #expect(container.call(.close).ignored == [.close])
    #expect(container.send(.hostClose).ignored == [.close])
    #expect(container.call(.unload).ignored == [.unload])
    #expect(
      container.send(.geometryChanged(Container.geometry(placement, at: .init(origin: .zero, size: .zero)), .none))
        == [])
    #expect(container.send(.exposureChanged(Container.full, at: 5)) == [])
    #expect(container.send(.volumeChanged(3)) == [])
    #expect(container.send(.loaded(.one)) == [])
  }
}
