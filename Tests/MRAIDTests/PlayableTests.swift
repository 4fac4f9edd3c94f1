import Core
import Testing

@testable import MRAID

/// Networks for playables, as values: calls of the page and moments of the ad in, calls into the page out.
@Suite struct PlayableTests {
  static let hosts = ContainerCatalogue.standard.containers.filter(\.isForPlayables)
  static let networks: [(String, String)] = [
    ("meta", "FbPlayableAd.onCTAClick"), ("mintegral", "install"), ("tiktok", "openAppStore"),
    ("tiktok", "playableSDK.openAppStore"), ("pangle", "openAppStore"), ("vungle", "parent.postMessage('download')"),
    ("app-campaigns", "ExitApi.exit"), ("dapi", "dapi.openStoreUrl"), ("tapjoy", "TJ_API.click"),
    ("smadex", "smxTracking.redirect"), ("nucleo", "NUC.trigger.convert"),
  ]

  /// Creates an ad in this host whose page has loaded and isn't on the screen yet.
  private func loaded(_ host: String) throws -> (container: Container, effects: [MRAIDEffect]) {
    let behaviour = try #require(ContainerCatalogue.standard.container(named: host)).behaviour
    var container = Container(.interstitial, behaviour: behaviour)
    let effects = container.send(.loaded(.one))
    return (container, effects)
  }

  private func called(_ name: String) -> MRAIDInput { .called(PlayableCall(name)) }

  @Test(arguments: networks)
  func theNetworksOwnCallOpensTheStore(host: String, call: String) throws {
    var (container, _) = try loaded(host)
    #expect(container.send(called(call)) == [.openStore])
    #expect(container.send(called("mraid.open")) == [])
  }

  @Test func everyHostIsTriedHere() { #expect(Set(Self.networks.map(\.0)) == Set(Self.hosts.map(\.name))) }

  @Test(arguments: hosts)
  func aHostFillsTheScreenWithoutMRAID(host: ContainerProfile) {
    #expect(host.behaviour.placement == .interstitial)
    #expect(!host.behaviour.bridge.hasEnvironment)
    #expect(!host.behaviour.scripts.contains("mraid.js"))
  }

  @Test(arguments: hosts)
  func whatAHostSendsNamesWhatItKnows(host: ContainerProfile) {
    let interface = host.behaviour.bridge.playable
    #expect(interface.unknownMoment == nil)
    for send in interface.sends where send.kind == .callback {
      #expect(interface.functions[send.name] == .callback, "\(send.name)")
    }
    let hasEvents = interface.sends.contains { $0.kind == .event }
    #expect(hasEvents == interface.functions.values.contains(.addListener))
  }

  @Test func mintegralStartsTheGameOnceItIsReadyAndShown() throws {
    var (container, effects) = try loaded("mintegral")
    #expect(effects.events() == [])
    #expect(container.send(called("gameReady")) == [])
    #expect(container.send(.exposureChanged(Container.full, at: 100)).names() == ["gameStart"])
    #expect(container.send(called("gameReady")) == [])
  }

  @Test func mintegralStartsAGameThatIsReadyLate() throws {
    var (container, _) = try loaded("mintegral")
    #expect(container.send(.exposureChanged(Container.full, at: 100)).names() == [])
    #expect(container.send(called("gameReady")).names() == ["gameStart"])
  }

  @Test func mintegralClosesTheGame() throws {
    var (container, _) = try loaded("mintegral")
    container.send(.hostClose)
    #expect(container.present(Exposure.none).names() == ["gameClose"])
  }

  @Test func dapiSendsItsEvents() throws {
    var (container, effects) = try loaded("dapi")
    #expect(effects.events() == [MRAIDEvent("ready")])
    let shown = container.send(.exposureChanged(Container.full, at: 100))
    #expect(shown.events() == [MRAIDEvent("viewableChange", [["isViewable": true]])])
    #expect(container.send(.volumeChanged(40)).events() == [MRAIDEvent("audioVolumeChange", [40])])
    var turned = Container.geometry(.interstitial)
    turned.maxSize = Size(width: 759, height: 393)
    turned.currentPosition = Rect(origin: .zero, size: turned.maxSize)
    let resized = container.send(.geometryChanged(turned, Container.full, at: 500)).events()
    #expect(resized == [MRAIDEvent("adResized", [["width": 759, "height": 393]])])
    container.send(.hostClose)
    let closed = container.present(Exposure.none, at: 900).events()
    #expect(closed.last == MRAIDEvent("viewableChange", [["isViewable": false]]))
  }

  @Test func dapiSendsAnErrorForAWrongCall() throws {
    var (container, _) = try loaded("dapi")
    let wrong = PlayableCall("dapi.addEventListener", arguments: ["never"], problem: "unknown event never")
    #expect(
      container.send(.called(wrong)).events() == [MRAIDEvent("error", ["unknown event never", "addEventListener"])])
    #expect(container.send(called("dapi.addEventListener")) == [])
    let text = #"{"type":"playable","call":"dapi.addEventListener","args":["never"],"problem":"unknown event never"}"#
    #expect(BridgeMessage.decode(text) == .playable(wrong))
  }

  @Test func nucleoStartsTheGameWithItsSize() throws {
    var (container, _) = try loaded("nucleo")
    container.send(called("NUC.trigger.ready"))
    let events = container.send(.exposureChanged(Container.full, at: 100)).events()
    #expect(events == [MRAIDEvent("NUC.callback.onStart", [393, 759])])
  }

  @Test func otherHostsSendNothing() throws {
    for host in ["meta", "tiktok", "pangle", "vungle", "app-campaigns", "tapjoy", "smadex"] {
      var (container, effects) = try loaded(host)
      #expect(effects.events() == [], "\(host)")
      #expect(container.send(.exposureChanged(Container.full, at: 100)).events() == [], "\(host)")
    }
  }

  @Test func callsAreReadFromTheirMessages() {
    let text = #"{"type":"playable","call":"install","args":["a"],"gesture":true}"#
    #expect(BridgeMessage.decode(text) == .playable(PlayableCall("install", arguments: ["a"], gesture: true)))
    #expect(BridgeMessage.decode(#"{"type":"playable","call":""}"#) == nil)
    let sent = BridgeMessage.decode(#"{"type":"sent","call":"gameStart","answered":true}"#)
    #expect(sent == .sent(call: "gameStart", isAnswered: true))
  }

  @Test func aMomentThatCannotComeIsRefused() {
    let differences = [
      ("interface", "playable" as JSONValue), ("functions", ["go": "store"]),
      ("sends", [["kind": "function", "name": "start", "when": ["gone"]]]),
    ].compactMap { what, value in
      ContainerDifference.What(rawValue: what).map {
        ContainerDifference(what: $0, value: value, note: "n", source: "https://example.com/", date: "2026-01-31")
      }
    }
    #expect(throws: ContainerProblem.self) {
      try ContainerProfile(name: "one", title: "One", differences: differences)
    }
  }

  @Test(
    arguments: [
      (["https://store.example/a"], "https://store.example/a"), ([" market://details?id=a"], " market://details?id=a"),
      (["javascript:a()"], "javascript:a()"), (["level 1"], nil), (["end-card"], nil), ([""], nil), ([], nil),
      ([nil, "https://store.example/a"], nil), ([["url": "https://store.example/a"]], nil),
    ] as [([JSONValue], String?)])
  func aCallForTheStoreNamesAnAddressWithAScheme(_ arguments: [JSONValue], _ url: String?) {
    #expect(PlayableCall("install", arguments: arguments).url == url)
  }
}
