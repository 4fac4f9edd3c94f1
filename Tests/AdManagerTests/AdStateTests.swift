import Core
import Device
import MRAID
import Testing

@testable import AdManager

/// State machine of an ad: inputs and the effects that they cause, in order.
@Suite struct AdStateTests {
  /// Case with the inputs before, one more input, and all effects that it has to cause.
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var kind = PlacementType.inline
    var before: [AdState.Input] = []
    var input: AdState.Input
    var effects: [String]
  }

  static let rows: [Row] = [
    Row(
      "its page is loaded", before: [], input: .session(.loaded(.one)),
      effects: ["transition default", "deliver stateChange ready"]),
    Row("an ad that hasn't begun is expanded", before: [], input: call(.expand(url: nil)), effects: ["record ignored"]),
    Row("a banner is expanded", input: call(.expand(url: nil)), effects: ["show expanded creative"]),
    Row(
      "a banner is expanded to a second page", input: call(.expand(url: "b.html")),
      effects: ["show expanded second-part from creative, loading b.html"]),
    Row(
      "the expanded ad stands", before: [begun, call(.expand(url: nil))], input: presented(expanded),
      effects: ["transition expanded", "deliver sizeChange stateChange"]),
    Row(
      "it can't be shown", before: [begun, call(.expand(url: "b.html"))], input: .session(.presentationFailed("no")),
      effects: ["restoreOrientation", "deliver error"]),
    Row(
      "it is closed", before: [begun, call(.expand(url: nil)), presented(expanded)], input: call(.close),
      effects: ["restoreOrientation", "close"]),
    Row(
      "its modal state is gone", before: [begun, call(.expand(url: nil)), presented(expanded), call(.close)],
      input: .closed, effects: []),
    Row(
      "the modal state of its second page is gone",
      before: [begun, call(.expand(url: "b.html")), presented(expanded), call(.close)], input: .closed,
      effects: ["discardSecondPart"]),
    Row(
      "it is back in its slot", before: [begun, call(.expand(url: nil)), presented(expanded), call(.close), .closed],
      input: presented(slot), effects: ["transition default", "deliver sizeChange stateChange"]),
    Row(
      "what is called in a transition follows it",
      before: [begun, call(.expand(url: nil)), call(.open(url: "https://a.example")), call(.close)],
      input: presented(expanded),
      effects: [
        "transition expanded", "deliver sizeChange stateChange", "record open", "click",
        "cover browser from creative", "restoreOrientation", "close",
      ]),
    Row(
      "an interstitial is closed by the host", kind: .interstitial, input: .session(.hostClose),
      effects: ["restoreOrientation", "close"]),
    Row(
      "an interstitial is off the screen", kind: .interstitial, before: [begun, .session(.hostClose), .closed],
      input: presented(full), effects: ["transition hidden", "deliver stateChange", "finish"]),
    Row(
      "the same once more", kind: .interstitial, before: [begun, .session(.hostClose), .closed, presented(full)],
      input: presented(full), effects: []),
    Row("a link is followed", input: .clicked("https://a.example"), effects: ["click", "cover browser from creative"]),
    Row("a link leads out of the app", input: .clicked("tel:123"), effects: ["click", "leaveApp"]),
    Row(
      "the page opens an address", input: call(.open(url: "https://a.example")),
      effects: ["record open", "click", "cover browser from creative"]),
    Row(
      "the second page opens an address",
      before: [begun, call(.expand(url: "b.html")), presented(expanded), loadedTwo],
      input: .session(.command(.open(url: "https://a.example"), from: .two, gesture: true)),
      effects: ["record open", "click", "cover browser from second-part"]),
    Row(
      "a video is played", input: call(.playVideo(uri: "a.mp4")),
      effects: ["record playVideo", "cover video from creative"]),
    Row("an ad unloads itself", input: call(.unload), effects: ["restoreOrientation", "unload"]),
    Row(
      "an ad of two pages unloads itself", before: [begun, call(.expand(url: "b.html")), presented(expanded)],
      input: call(.unload), effects: ["restoreOrientation", "unload", "discardSecondPart"]),
    Row(
      "a call comes after the end", before: [begun, call(.unload)], input: call(.close), effects: ["record ignored"]),
    Row(
      "a click comes after the end", before: [begun, call(.unload)], input: .clicked("https://a.example"), effects: []),
    Row("the screen changes after the end", before: [begun, call(.unload)], input: presented(expanded), effects: []),
    Row(
      "it wishes to be turned while it is expanded",
      before: [begun, call(.expand(url: nil)), presented(expanded)],
      input: call(.setOrientationProperties(["forceOrientation": "landscape"])), effects: ["orient landscape"]),
  ]

  @Test(arguments: rows) func inputLeadsToItsEffects(row: Row) {
    var state = Self.state(row.kind)
    for input in row.before { _ = state.handle(input) }
    let effects = state.handle(row.input).map(Self.words)
    #expect(effects == row.effects)
  }

  @Test func secondPageIsTheAdFromItsLoadUntilItsModalStateIsGone() {
    var state = Self.state(.inline)
    _ = state.handle(Self.begun)
    #expect(state.view == .creative)
    _ = state.handle(Self.call(.expand(url: "b.html")))
    #expect(state.view == .secondPart)
    _ = state.handle(Self.presented(Self.expanded))
    _ = state.handle(Self.call(.close))
    #expect(state.view == .secondPart)
    _ = state.handle(.closed)
    #expect(state.view == .creative)
  }

  @Test func secondPageThatCantBeLoadedIsNoneOfTheAds() {
    var state = Self.state(.inline)
    _ = state.handle(Self.begun)
    _ = state.handle(Self.call(.expand(url: "b.html")))
    _ = state.handle(.session(.presentationFailed("no")))
    #expect(!state.showsSecondPart)
  }

  @Test func aPlayablesStoreIsAClickOnceTheAdWasDisplayed() throws {
    let behaviour = try #require(ContainerCatalogue.standard.container(named: "meta")).behaviour
    let profile = HostProfile(placementType: .interstitial, environment: [:], supports: [], behaviour: behaviour)
    var state = AdState(session: MRAIDSession(profile: profile, geometry: Self.geometry(Self.full, Self.full)))
    let called = AdState.Input.session(.called(PlayableCall("FbPlayableAd.onCTAClick")))
    let ignored = AdState.Effect.record(
      .playable, "ignored", ["call": "FbPlayableAd.onCTAClick", "reason": "the ad isn't displayed yet"])
    #expect(state.handle(called) == [ignored])
    _ = state.handle(Self.begun)
    #expect(state.handle(called) == [ignored])
    #expect(state.handle(.displayed) == [])
    #expect(state.handle(called) == [.click, .leaveApp])
  }

  private static let begun = AdState.Input.session(.loaded(.one))
  private static let loadedTwo = AdState.Input.session(.loaded(.two))
  private static let full = Rect(x: 0, y: 0, width: 390, height: 760)
  private static let expanded = full
  private static let slot = Rect(x: 35, y: 300, width: 320, height: 50)

  private static func call(_ command: MRAIDCommand) -> AdState.Input {
    .session(.command(command, from: .one, gesture: true))
  }

  private static func presented(_ frame: Rect) -> AdState.Input { .session(.presented(geometry(slot, frame), .none)) }

  private static func geometry(_ home: Rect, _ frame: Rect) -> HostGeometry {
    HostGeometry(
      screenSize: Size(width: 390, height: 844), maxSize: full.size, defaultPosition: home, currentPosition: frame,
      orientation: .portrait)
  }

  private static func state(_ kind: PlacementType) -> AdState {
    let home = kind == .inline ? slot : full
    let profile = HostProfile(
      placementType: kind, environment: ["version": "3.0"], supports: ["tel", "inlineVideo"])
    return AdState(session: MRAIDSession(profile: profile, geometry: geometry(home, home)))
  }

  /// Short text of an effect.
  private static func words(_ effect: AdState.Effect) -> String {
    switch effect {
    case .deliver(let update, _): (["deliver"] + update.events.map(\.name)).joined(separator: " ")
    case .transition(let transition): "transition \(transition.to.rawValue)"
    case .show(let modal, let url): "show \(words(modal))" + (url.map { ", loading \($0)" } ?? "")
    case .close: "close"
    case .discardSecondPart: "discardSecondPart"
    case .restoreOrientation: "restoreOrientation"
    case .orient(let properties): "orient \(properties.forceOrientation.rawValue)"
    case .click: "click"
    case .cover(let modal):
      "cover \(modal.kind.name)" + (modal.presentingView.map { " from \($0.rawValue)" } ?? "")
    case .leaveApp: "leaveApp"
    case .finish: "finish"
    case .unload: "unload"
    case .scheduleExposure: "scheduleExposure"
    case .record(_, let name, _): "record \(name)"
    }
  }

  private static func words(_ modal: ModalState) -> String {
    "\(modal.kind.name) \(modal.displayView.rawValue)" + (modal.presentingView.map { " from \($0.rawValue)" } ?? "")
  }
}

extension AdStateTests.Row {
  /// Creates a row of an ad whose page is loaded, unless `before` names other earlier inputs.
  init(
    _ description: String, kind: PlacementType = .inline, before: [AdState.Input] = [.session(.loaded(.one))],
    input: AdState.Input, effects: [String]
  ) {
    self.init(testDescription: description, kind: kind, before: before, input: input, effects: effects)
  }
}
