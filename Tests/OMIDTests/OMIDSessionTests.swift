import Core
import Device
import OMID
import Testing

/// An ad on a screen of 400 × 800 whose view is all there.
private let inView = state(of: Rect(x: 50, y: 100, width: 300, height: 250))
private let scrolled = state(of: Rect(x: 50, y: -125, width: 300, height: 250))

private func state(of frame: Rect) -> AdViewState {
  AdViewState(of: .creative, on: screen([Layer(id: "ad", kind: .ad, frame: frame, viewID: .creative)]))
}

private func screen(_ layers: [Layer]) -> Screen {
  let device = Device(
    name: "phone", screen: Size(width: 400, height: 800), scale: 2, touch: true, userAgent: "", platform: "iPhone")
  return Screen(device: device, layers: layers)
}

private func facts(_ kind: OMIDFacts.Kind = .page) -> OMIDFacts {
  let device = OMIDDevice(type: "phone", system: "iOS", systemVersion: "17.5", category: "mobile")
  return OMIDFacts(
    kind: kind, seed: 1, identity: "creative", device: device,
    vast: kind == .film ? OMIDVastProperties(skipOffset: 5, position: .preroll) : nil)
}

extension OMIDSession {
  /// Handles inputs and returns the names of published events, in order.
  fileprivate mutating func names(_ inputs: Input...) -> [String] { inputs.flatMap { events($0).map(\.type) } }

  fileprivate mutating func events(_ input: Input) -> [OMIDEvent] {
    handle(input).compactMap { if case .publish(let event) = $0 { event } else { nil } }
  }
}

@Suite("An Open Measurement session")
struct OMIDSessionTests {
  @Test("of a page starts, is loaded, counts when some of it is on the screen, and then tells places")
  func display() {
    var session = OMIDSession(facts())
    #expect(session.names(.changed(.notFound(viewport: .zero), at: 0), .begin) == ["sessionStart", "loaded"])
    #expect(session.names(.changed(inView, at: 10)) == ["impression", "geometryChange"])
    #expect(session.names(.changed(inView, at: 500)) == [])
    #expect(session.names(.changed(scrolled, at: 1000)) == ["geometryChange"])
    #expect(session.names(.finish, .finish, .changed(inView, at: 2000)) == ["sessionFinish"])
  }

  @Test("of a native ad is the app's own, and counts when the ad comes to be seen")
  func card() throws {
    var session = OMIDSession(facts(.card))
    let begun = session.events(.begin)
    #expect(begun.map(\.type) == ["sessionStart", "loaded"])
    #expect(begun[0].data["context"]?["adSessionType"] == "native")
    #expect(begun[1].data["creativeType"] == "nativeDisplay" && begun[1].data["mediaType"] == "display")
    #expect(session.names(.changed(inView, at: 10)) == ["impression", "geometryChange"])
  }

  @Test("of an ad below the fold counts once it is scrolled to")
  func belowTheFold() {
    var session = OMIDSession(facts())
    _ = session.handle(.begin)
    #expect(session.names(.changed(state(of: Rect(x: 0, y: 900, width: 300, height: 250)), at: 0)) == [])
    #expect(session.names(.changed(inView, at: 1)) == ["impression", "geometryChange"])
  }

  @Test("tells places at most every 200 ms, the newest")
  func throttle() {
    var session = OMIDSession(facts())
    _ = session.handle(.begin)
    _ = session.handle(.changed(inView, at: 1000))
    #expect(session.handle(.changed(scrolled, at: 1050)) == [.measureLater(after: 150)])
    #expect(session.handle(.changed(.notFound(viewport: .zero), at: 1100)) == [])
    let told = session.events(.due(at: 1200))
    #expect(told.map { $0.data["adView"]?["reasons"]?[0]?.string } == ["notFound"])
    #expect(session.names(.due(at: 1300)) == [])
  }

  @Test("has the same ids in every run, and others for other ads, seeds and sessions")
  func ids() {
    let id = facts().sessionID(1)
    #expect(id == facts().sessionID(1))
    #expect(id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    var others = [facts(), facts(), facts()]
    others[0].seed = 2
    others[1].identity = "creative-2"
    #expect(Set(others.enumerated().map { $1.sessionID($0 == 2 ? 2 : 1) } + [id]).count == 4)
  }

  @Test("of a film tells what its document says, then its moments with volumes")
  func film() throws {
    var session = OMIDSession(facts(.film))
    let begun = session.events(.begin)
    #expect(begun.map(\.type) == ["sessionStart", "loaded"])
    #expect(begun[1].data["skippable"] == true && begun[1].data["skipOffset"] == 5)
    #expect(begun[1].data["position"] == "preroll" && begun[1].data["mediaType"] == "video")
    #expect(session.names(.changed(inView, at: 0)) == [])
    #expect(session.names(.media(.impression), .media(.impression)) == ["impression", "geometryChange"])
    let start = try #require(session.events(.media(.start(duration: 4, volume: 1))).first)
    #expect(start.data["duration"] == 4 && start.data["mediaPlayerVolume"] == 1 && start.data["deviceVolume"] == 1)
    let quieter = try #require(session.events(.deviceVolume(0.5)).first)
    #expect(quieter.type == "volumeChange" && quieter.data["deviceVolume"] == 0.5)
    #expect(
      session.names(.media(.plain("midpoint")), .media(.adUserInteraction("click"))) == [
        "midpoint", "adUserInteraction",
      ])
    #expect(session.events(.failed("gone")).first?.data["errorType"] == "video")
  }

  @Test("a session start says whose it is, what measures and on what")
  func context() throws {
    var session = OMIDSession(facts())
    let start = try #require(session.events(.begin).first)
    let context = try #require(start.data["context"])
    for (member, value) in [
      ("apiVersion", "1.0"), ("environment", "app"), ("adSessionType", "html"), ("sessionOwner", "native"),
      ("deviceCategory", "mobile"),
    ] { #expect(context[member]?.string == value) }
    #expect(context["omidNativeInfo"]?["partnerName"] == "Galley")
    #expect(context["omidJsInfo"]?["partnerVersion"]?.string == Galley.version)
    #expect(context["supports"]?.array?.count == 2 && context["adCount"] == 1)
    #expect(context["deviceInfo"]?["os"] == "iOS" && context["app"]?["appId"]?.string != nil)
    #expect(start.data["creativeType"] == "htmlDisplay" && start.data["impressionType"] == "beginToRender")
  }
}

@Suite("A session client of the ad's page")
struct OMIDClientTests {
  private let client = OMIDClient(version: "1.6.7", partner: "Partner", partnerVersion: "2")

  @Test("that registers ad events before the session counts the ad in the app's place")
  func ownsImpression() throws {
    var session = OMIDSession(facts())
    for call in [
      .clientInfo(client), .registerAdEvents, .creativeType("htmlDisplay"), .impressionType("loaded"), .loaded(nil),
    ] as [OMIDCall] {
      #expect(session.handle(.call(call)) == [])
    }
    let begun = session.events(.begin)
    #expect(begun.map(\.type) == ["sessionStart", "loaded"])
    #expect(begun[0].data["context"]?["omidJsInfo"]?["partnerName"] == "Partner")
    #expect(begun[0].data["context"]?["omidJsInfo"]?["sessionClientVersion"] == "1.6.7")
    #expect(begun[0].data["impressionType"] == "loaded")
    #expect(session.names(.changed(inView, at: 0)) == [])
    #expect(session.names(.call(.impression)) == ["impression", "geometryChange"])
    #expect(
      session.handle(.call(.impression)) == [.ignored("impressionOccurred", reason: "the ad was counted already")])
  }

  @Test("whose types aren't said yet is told that they are its own to say")
  func openTypes() throws {
    var session = OMIDSession(facts())
    _ = session.handle(.call(.registerAdEvents))
    let start = try #require(session.events(.begin).first)
    #expect(
      start.data["creativeType"] == "definedByJavaScript" && start.data["impressionType"] == "definedByJavaScript")
  }

  @Test("that didn't register what it says is ignored, with the reason")
  func unregistered() {
    var session = OMIDSession(facts())
    _ = session.handle(.begin)
    for call in [.impression, .loaded(nil), .media(.plain("midpoint")), .creativeType("video")] as [OMIDCall] {
      guard case .ignored? = session.handle(.call(call)).first else {
        Issue.record("\(call) was carried out")
        continue
      }
    }
  }

  @Test("that registers after the app has counted is too late")
  func late() {
    var session = OMIDSession(facts())
    _ = session.handle(.begin)
    _ = session.handle(.changed(inView, at: 0))
    #expect(
      session.handle(.call(.registerAdEvents)) == [
        .ignored("registerAdEvents", reason: "the app has told them already")
      ])
  }

  @Test("plays a film of its own: media events, an error, and sessions one after the other")
  func media() {
    var session = OMIDSession(facts())
    _ = session.handle(.call(.registerAdEvents))
    _ = session.handle(.call(.registerMediaEvents))
    #expect(session.names(.begin) == ["sessionStart"])
    let first = session.events(.call(.loaded(OMIDVastProperties(skipOffset: nil)))).first?.adSessionID
    #expect(
      session.names(
        .call(.impression), .call(.media(.start(duration: 4, volume: 0))), .call(.media(.plain("complete")))) == [
          "impression", "start", "complete",
        ])
    #expect(session.names(.call(.error(type: "media", message: "x"))) == ["sessionError"])
    #expect(session.handle(.call(.start)) == [.ignored("startSession", reason: "a session runs already")])
    #expect(session.names(.call(.finish)) == ["sessionFinish"])
    let second = session.events(.call(.start))
    #expect(second.map(\.type) == ["sessionStart"])
    #expect(second[0].data["context"]?["sessionOwner"] == "javascript" && second[0].adSessionID != first)
    #expect(session.names(.call(.impression)) == ["impression"])
  }

  @Test("after a session's end says anew what it counts")
  func another() {
    var session = OMIDSession(facts())
    _ = session.handle(.begin)
    _ = session.handle(.changed(inView, at: 0))
    #expect(session.names(.call(.finish)) == ["sessionFinish"])
    let calls: [OMIDCall] = [.clientInfo(client), .registerAdEvents, .creativeType("video"), .impressionType("loaded")]
    for call in calls { #expect(session.handle(.call(call)) == []) }
    #expect(session.names(.begin) == ["sessionStart"])
  }

  @Test("that begins sessions without end gets fifty")
  func endless() {
    var session = OMIDSession(facts())
    let names = (0..<100).flatMap { _ in session.names(.call(.start), .call(.finish)) }
    #expect(names.count { $0 == "sessionStart" } == 50)
  }

  @Test("is read as the standard's client words it, and what makes no sense is malformed")
  func words() {
    #expect(OMIDCall("setClientInfo", ["1.6.7", "Partner", "2", "id"]) == .clientInfo(client))
    #expect(OMIDCall("start", [4, 0.5, "id"]) == .media(.start(duration: 4, volume: 0.5)))
    #expect(OMIDCall("start", ["4", 0.5]) == .malformed("start"))
    #expect(OMIDCall("volumeChange", [1.5]) == .malformed("volumeChange"))
    #expect(OMIDCall("playerStateChange", ["fullscreen"]) == .media(.playerStateChange("fullscreen")))
    #expect(OMIDCall("adUserInteraction", ["stare"]) == .malformed("adUserInteraction"))
    #expect(OMIDCall("loaded", [.null, "id"]) == .loaded(nil))
    let vast: JSONValue = ["isSkippable": true, "skipOffset": 5, "isAutoPlay": true, "position": "preroll"]
    #expect(OMIDCall("loaded", [vast]) == .loaded(OMIDVastProperties(skipOffset: 5, position: .preroll)))
    #expect(OMIDCall("loaded", [["isSkippable": "yes"]]) == .malformed("loaded"))
    #expect(OMIDCall("sessionError", ["generic", "broken"]) == .error(type: "generic", message: "broken"))
    #expect(OMIDCall("erase", []) == nil)
    let script: JSONValue = ["resourceUrl": "https://v.example/a.js", "vendorKey": "v", "accessMode": "domain"]
    #expect(
      OMIDCall("injectVerificationScriptResources", [[script, ["vendorKey": "no address"]]])
        == .inject([
          OMIDScriptResource(url: "https://v.example/a.js", vendor: "v", parameters: nil, accessMode: .limited)
        ]))
  }

  @Test(
    "messages that are none, too long or broken are nobody's",
    arguments: [
      "", "{}", "[]", #"{"kind":"call"}"#, #"{"kind":"call","method":"erase"}"#, #"{"kind":"listens"}"#,
      #"{"kind":"script"}"#,
    ])
  func nonsense(text: String) { #expect(OMIDMessage(text) == nil) }

  @Test("a client's own id of its session, which is chance, isn't among what the log has")
  func ownID() {
    let text = #"{"kind":"call","method":"finishSession","arguments":["d049af8a-6dde-4153-b6eb-3ce1bf517841"]}"#
    #expect(OMIDMessage(text) == .call("finishSession", .finish, arguments: []))
  }

  @Test("bounds of an element have to be a rectangle, and no larger than any page")
  func bounds() {
    #expect(
      OMIDMessage(#"{"kind":"element","bounds":{"x":1,"y":2,"width":3,"height":4}}"#)
        == .element(Rect(x: 1, y: 2, width: 3, height: 4)))
    #expect(OMIDMessage(#"{"kind":"element","bounds":{"x":1,"y":2,"width":-3,"height":4}}"#) == .element(nil))
    #expect(
      OMIDMessage(#"{"kind":"element","bounds":{"x":1e300,"y":2,"width":3,"height":4}}"#)
        == .element(Rect(x: 100_000, y: 2, width: 3, height: 4)))
  }
}

@Suite("What can be seen of an ad")
struct AdViewStateTests {
  private let ad = Layer(id: "ad", kind: .ad, frame: Rect(x: 0, y: 0, width: 100, height: 100), viewID: .creative)

  @Test("is all of it, with its place and without a reason")
  func whole() {
    #expect(inView.percentage == 100 && inView.pixels == 75_000 && inView.reasons == [])
    #expect(inView.members["viewport"] == ["width": 400, "height": 800])
    let view = inView.members["adView"]
    #expect(view?["geometry"] == ["x": 50, "y": 100, "width": 300, "height": 250, "pixels": 75_000])
    #expect(view?["onScreenGeometry"]?["pixels"] == 75_000 && view?["measuringElement"] == false)
  }

  @Test("is what the screen's edge, a clip and what lies above leave, each with its reason")
  func parts() {
    #expect(scrolled.percentage == 50 && scrolled.reasons == [.viewport])
    var clipped = ad
    clipped.clip = Rect(x: 0, y: 25, width: 400, height: 700)
    let cut = AdViewState(of: .creative, on: screen([clipped]))
    #expect(cut.percentage == 75 && cut.reasons == [.clipped])
    let above = Layer(id: "browser", kind: .browser, frame: Rect(x: 50, y: 0, width: 400, height: 50))
    let covered = AdViewState(of: .creative, on: screen([ad, above]))
    #expect(covered.percentage == 75 && covered.reasons == [.obstructed])
    #expect(covered.obstructions == [Rect(x: 50, y: 0, width: 50, height: 50)])
    let whole = AdViewState(
      of: .creative, on: screen([ad, Layer(id: "b", kind: .browser, frame: Rect(x: 0, y: 0, width: 400, height: 800))]))
    #expect(whole.percentage == 0 && whole.reasons == [.obstructed] && whole.obstructions == [ad.frame])
  }

  @Test("is nothing in the background, but what is on the screen stays told")
  func background() {
    var hidden = screen([ad])
    hidden.isForeground = false
    let state = AdViewState(of: .creative, on: hidden)
    #expect(state.percentage == 0 && state.pixels == 0 && state.reasons == [.backgrounded])
    #expect(state.members["adView"]?["onScreenGeometry"]?["pixels"] == 10_000)
  }

  @Test("is nothing of an ad that isn't there, or has no area")
  func nothing() {
    #expect(AdViewState(of: .creative, on: screen([])).reasons == [.notFound])
    let empty = Rect(x: 10, y: 10, width: 0, height: 0)
    #expect(AdViewState(of: .creative, element: empty, on: screen([ad])).reasons == [.hidden])
  }

  @Test("of an element counts of it alone, and tells the view around it")
  func element() {
    let below = Rect(x: 0, y: 50, width: 100, height: 100)
    let state = AdViewState(of: .creative, element: below, on: screen([ad]))
    #expect(state.percentage == 50 && state.reasons == [.clipped] && state.container?.view == ad.frame)
    #expect(state.members["adView"]?["containerGeometry"]?["height"] == 100)
  }

  @Test("isn't less for the app's own close control, which is told as friendly")
  func friendly() {
    let control = Layer(id: "close", kind: .closeControl, frame: Rect(x: 80, y: 0, width: 20, height: 20))
    let state = AdViewState(of: .creative, on: screen([ad, control]))
    #expect(state.percentage == 100 && state.friendly == [control.frame])
    let told = state.members["adView"]?["onScreenGeometry"]?["friendlyObstructions"]?[0]
    #expect(told?["obstructionPurpose"] == "closeAd")
  }

  @Test(
    "the device is read from its user agent",
    arguments: [
      ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)", "iOS", "17.5"),
      ("Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/X)", "Android", "14"),
      ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", "macOS", "10.15.7"),
      ("Mozilla/5.0 (X11; Linux x86_64)", "Linux", "0"),
    ])
  func device(agent: String, system: String, version: String) {
    let device = OMIDDevice(name: "d", userAgent: agent, isTouch: true)
    #expect(device.system == system && device.systemVersion == version)
  }
}
