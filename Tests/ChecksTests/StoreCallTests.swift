import Core
import RenderModel
import Testing

@testable import Checks

@Suite("Store calls")
struct StoreCallTests {
  private static func script(_ code: String) -> Inventory {
    Inventory(kind: "folder", name: "ad", files: [Inventory.File(path: "a.js", text: code)])
  }

  @Test(
    "are found in code, however it is written",
    arguments: [
      ("FbPlayableAd.onCTAClick", "FbPlayableAd.onCTAClick()"),
      ("FbPlayableAd.onCTAClick", "window['FbPlayableAd'][\"onCTAClick\"]()"),
      ("FbPlayableAd.onCTAClick", "var a=window.FbPlayableAd;b.onclick=a.onCTAClick"),
      ("install", "window.install && window.install()"), ("install", "install ()"),
      ("install", "window['install']()"), ("openAppStore", "openAppStore();"),
      ("parent.postMessage('download')", "parent.postMessage(\"download\", \"*\")"),
      ("TJ_API.click", "window.TJ_API&&window.TJ_API.click()"), ("install", "go({ store: install })"),
      ("FbPlayableAd.onCTAClick", "const { onCTAClick } = FbPlayableAd; onCTAClick()"),
      ("FbPlayableAd.onCTAClick", "(function (n) { n.onCTAClick() })(window.FbPlayableAd)"),
      ("FbPlayableAd.onCTAClick", "var w = ['FbPlayableAd', 'onCTAClick']; window[w[0]][w[1]]()"),
      ("NUC.trigger.convert", "var t = NUC.trigger; t.convert()"), ("gameEnd", "eval(x); y = 'gameEnd()'"),
      ("parent.postMessage('download')", "var word = 'download'; parent.postMessage(word, '*')"),
      ("install", "install.call(window)"), ("myAds.open", "myAds.open()"),
    ])
  func named(call: String, code: String) { #expect(StoreCall(call).isNamed(in: Self.script(code))) }

  @Test(
    "aren't other words of the same letters",
    arguments: [
      ("install", "sdk.install()"), ("install", "say('install now')"), ("install", "function install(a) {}"),
      ("install", "reinstall()"), ("install", "éinstall()"), ("openAppStore", "// openAppStore()\ngo()"),
      ("parent.postMessage('download')", "parent.postMessage('complete', '*')"),
      ("FbPlayableAd.onCTAClick", "ad.onCTAClick()"), ("gameEnd", "say('gameEnd()')"),
      ("gameEnd", "go() // then gameEnd()"), ("gameEnd", "go('a', /* gameEnd() */ 1)"), ("gameEnd", "go(`gameEnd()`)"),
      ("gameEnd", "window.gameEnd = function () {}"), ("gameEnd", "ad = { gameEnd() { go() } }"),
      ("gameEnd", "if (typeof window.gameEnd === 'function') go()"), ("gameEnd", "go(/gameEnd()/)"),
      ("TJ_API.click", "window.TJ_API && window.TJ_API.objectiveComplete(); b.click()"),
      ("TJ_API.click", "if (window.TJ_API) TJ_API.objectiveComplete(); b.click()"),
    ])
  func others(call: String, code: String) { #expect(!StoreCall(call).isNamed(in: Self.script(code))) }

  @Test(
    "are recognised in events",
    arguments: [
      ("install", ["call": "window.install"], true), ("install", ["call": "gameEnd"], false),
      ("parent.postMessage('download')", ["call": "parent.postMessage", "arguments": ["download", "*"]], true),
      ("parent.postMessage('download')", ["call": "postMessage('download')"], true),
      ("parent.postMessage('complete')", ["call": "parent.postMessage", "arguments": ["download"]], false),
    ] as [(String, JSONValue, Bool)])
  func made(call: String, detail: JSONValue, isMade: Bool) {
    #expect(StoreCall(call).isMade(by: event(.playable, "called", detail)) == isMade)
  }

  @Test("of every network are known, each once")
  func table() {
    let texts = StoreCall.all.map(\.text)
    #expect(Set(texts).count == texts.count)
    let expected = [
      "mraid.open", "FbPlayableAd.onCTAClick", "install", "openAppStore", "parent.postMessage('download')",
      "ExitApi.exit", "TJ_API.click", "smxTracking.redirect", "NUC.trigger.convert",
    ]
    #expect(Set(expected).isSubset(of: texts))
  }

  private static let order = Profile.network("playable-lifecycle") { $0.order = ["gameReady", "gameEnd"] }

  @Test(
    "have an order on each way through the ad",
    arguments: [
      (["gameEnd"], ["gameReady", "gameEnd"], nil), (["gameEnd"], ["gameReady"], nil),
      (["gameReady", "gameEnd"], ["gameEnd", "gameReady"], "gameEnd() was called before gameReady(), after tap"),
      (["gameEnd", "gameEnd", "gameReady"], ["gameEnd", "gameReady"], "gameEnd() was called before gameReady()"),
      (["gameReady", "gameEnd", "gameReady"], [], nil),
    ] as [([String], [String], String?)])
  func order(own: [String], tapped: [String], message: String?) throws {
    let events = { (calls: [String]) in calls.map { event(.playable, "called", ["call": .string($0)]) } }
    let context = CheckContext.made(
      events(own), profiles: [Self.order], tried: [Journey(action: "tap", events: events(tapped))])
    #expect(try Self.judged("playable-lifecycle", context) == [message].compactMap(\.self))
  }

  @Test(
    "that an ad makes by itself come without a touch, if it was left alone for a minute",
    arguments: [
      (["gameReady"], [], nil, true), ([], ["gameReady"], nil, true), ([], ["gameReady"], [], false),
      ([], [], ["gameReady"], true), (["gameReady"], [], [], true), ([], [], nil, false),
    ] as [([String], [String], [String]?, Bool)])
  func byItself(own: [String], tapped: [String], late: [String]?, isRight: Bool) throws {
    let events = { (calls: [String]) in calls.map { event(.playable, "called", ["call": .string($0)]) } }
    let context = CheckContext.made(
      events(own), profiles: [.network("playable-lifecycle", in: "mintegral") { $0.atLoad = ["gameReady"] }],
      tried: [Journey(action: "tap", events: events(tapped))]
    ) {
      $0.record.container = "mintegral"
      let watch = LateWatch(firstEvent: 9, from: 20_000, until: LateWatch.end)
      $0.late = late.map { LateBehaviour(watch: watch, events: events($0)) }
    }
    let message = "the ad loaded without calling gameReady(), needed by net"
    #expect(try Self.judged("playable-lifecycle", context) == (isRight ? [] : [message]))
  }

  @Test("are compared once each, however many a page makes")
  func flood() throws {
    let calls = [Event](repeating: event(.playable, "called", ["call": "gameEnd"]), count: 20_000)
    let context = CheckContext.made(calls, profiles: [Self.order])
    let began = ContinuousClock.now
    #expect(try Self.judged("playable-lifecycle", context) == [])
    #expect(ContinuousClock.now - began < .seconds(60))
  }

  private static func judged(_ id: String, _ context: CheckContext) throws -> [String]? {
    try #require(Check.named(id)).judge(context)?.map(\.message)
  }

  private static func explored(
    _ events: [Event], code: String = "", container: String? = "meta", profiles: [Profile] = []
  ) -> CheckContext {
    .made(
      files: [.document("<script>\(code)</script>")], explored: ExploredStates(actions: 3), profiles: profiles,
      tried: [Journey(action: "tap #cta", events: events)]
    ) { $0.record.container = container }
  }

  private static let opened = event(.playable, "storeOpened", ["call": "FbPlayableAd.onCTAClick", "gesture": true])

  @Test("are a way out of the ad, also without an address")
  func wayOut() throws {
    #expect(try Self.judged("no-clickthrough", Self.explored([Self.opened])) == [])
    #expect(try Self.judged("dead-clickthrough", Self.explored([Self.opened])) == [])
    #expect(try Self.judged("clickthrough-not-reached", Self.explored([Self.opened])) == [])
  }

  @Test("that came before the ad was displayed are no way out of it")
  func ignored() throws {
    let ignored = event(
      .playable, "ignored", ["call": "FbPlayableAd.onCTAClick", "reason": "the ad isn't displayed yet"])
    #expect(try Self.judged("no-clickthrough", Self.explored([Self.opened, ignored]))?.count == 1)
    #expect(try Self.judged("no-clickthrough", Self.explored([Self.opened, ignored, Self.opened])) == [])
    #expect(!Precondition.clickthrough.isMet(by: Self.explored([Self.opened, ignored])))
  }

  @Test("with an address that nothing opens lead nowhere")
  func deadAddress() throws {
    let opened = event(
      .playable, "storeOpened", ["call": "NUC.trigger.convert", "gesture": true, "url": "javascript:void(0)"])
    #expect(try Self.judged("dead-clickthrough", Self.explored([opened], container: "nucleo"))?.count == 1)
  }

  @Test("that the code names but nothing tried reached leave the answer open")
  func unreached() throws {
    let context = Self.explored([], code: "FbPlayableAd.onCTAClick()")
    #expect(try Self.judged("no-clickthrough", context) == nil)
    #expect(try Self.judged("clickthrough-not-reached", context)?.count == 1)
  }

  @Test("are named as the remedy for the container or the profile")
  func remedies() throws {
    let said = "no tappable element leads out of the ad: call FbPlayableAd.onCTAClick() on a tap"
    #expect(try Self.judged("no-clickthrough", Self.explored([])) == [said])
    let meta = try ProfileCatalogue.standard.named(["meta"])
    #expect(try Self.judged("no-clickthrough", Self.explored([], container: nil, profiles: meta)) == [said])
    #expect(
      try Self.judged("no-clickthrough", Self.explored([], container: nil)) == [
        "no tappable element leads out of the ad"
      ])
  }

  @Test("of the container are what a click by a link bypasses")
  func bypassed() throws {
    let popup = event(.page, "popup", ["url": "https://a.example/", "gesture": true, "allowed": false])
    #expect(
      try Self.judged("click-without-open", Self.explored([popup])) == [
        "a tap led to https://a.example/ without FbPlayableAd.onCTAClick(), after tap #cta"
      ])
    #expect(try Self.judged("click-without-open", Self.explored([popup], container: nil)) == nil)
  }

  @Test("without a gesture open the store by themselves", arguments: [true, false])
  func unasked(gesture: Bool) throws {
    let opened = event(.playable, "storeOpened", ["call": "install", "gesture": .bool(gesture)])
    let context = CheckContext.made([opened])
    #expect(try Self.judged("open-without-gesture", context) == (gesture ? [] : ["install() without a user gesture"]))
  }

  @Test("of Google's exit script are as good as a click tag")
  func exit() throws {
    let opened = event(.playable, "storeOpened", ["call": "ExitApi.exit", "gesture": true])
    func context(_ events: [Event]) -> CheckContext {
      .made(events, files: [.document("<p>")], profiles: [.network("missing-click-tag")])
    }
    #expect(try Self.judged("missing-click-tag", context([opened])) == [])
    #expect(try Self.judged("missing-click-tag", context([]))?.count == 1)
  }

  @Test(
    "of Google's exit scripts stand in for a click tag in their own letters, and only in code",
    arguments: [
      ("ExitApi.exit()", 0), ("window.Enabler.exit('Shop')", 0), ("Enabler.exitOverride('Shop', url)", 0),
      ("exitapi.exit()", 1), ("enabler.exit('Shop')", 1), ("go('https://a.example/exitapi.js')", 1),
      ("go() // Enabler.exit('Shop')", 1), ("say('ExitApi.exit()')", 1), ("Enabler.counter('Shop')", 1),
    ])
  func exitNames(code: String, count: Int) throws {
    let context = CheckContext.made(
      files: [.document("<script>\(code)</script>")], profiles: [.network("missing-click-tag")])
    #expect(try Self.judged("missing-click-tag", context)?.count == count)
  }

  @Test(
    "that the code has count only if they were made, once the whole ad was seen",
    arguments: [
      (["gameEnd"], true, [], []), ([], true, [], ["nothing in the whole ad called gameEnd(), needed by net"]),
      ([], false, [], []), ([], true, ["gameEnd"], []),
    ] as [([String], Bool, [String], [String])])
  func wholeRun(tapped: [String], isComplete: Bool, late: [String], messages: [String]) throws {
    let events = { (calls: [String]) in calls.map { event(.playable, "called", ["call": .string($0)]) } }
    let opened = event(.playable, "storeOpened", ["call": "install", "gesture": true])
    let context = CheckContext.made(
      files: [.document("<script>function never() { gameEnd() }</script>")],
      explored: ExploredStates(isComplete: isComplete, actions: 3),
      profiles: [.network("playable-lifecycle", in: "mintegral") { $0.calls = ["gameEnd"] }],
      tried: [Journey(action: "tap", events: events(tapped) + [opened])]
    ) {
      $0.record.container = "mintegral"
      $0.late = LateBehaviour(
        watch: LateWatch(firstEvent: 9, from: 20_000, until: LateWatch.end), events: events(late))
    }
    #expect(try Self.judged("playable-lifecycle", context) == messages)
  }

  @Test(
    "are found in code in a time that is linear in its size", arguments: ["(install", "a[", "x=FbPlayableAd,", "/["])
  func hostileCode(piece: String) {
    let began = ContinuousClock.now
    _ = Self.script(String(repeating: piece, count: 100_000))
    #expect(ContinuousClock.now - began < .seconds(60))
  }

  @Test("that a network refuses are found where the ad ran in its container")
  func refused() throws {
    let profile = Profile.network("store-call", in: "pangle") {
      $0.calls = ["openAppStore"]
      $0.refuses = ["mraid.open"]
    }
    func context(_ container: String?) -> CheckContext {
      .made(
        [call("open", "https://a.example/", gesture: true)],
        files: [.document("<script>openAppStore()</script>")], profiles: [profile]
      ) { $0.record.container = container }
    }
    #expect(
      try Self.judged("store-call", context("pangle")) == [
        "mraid.open() was called: call openAppStore() for net"
      ])
    #expect(try Self.judged("store-call", context(nil)) == [])
  }

  @Test("aren't missed in code that was read in part, or that is packed")
  func incomplete() throws {
    let profile = Profile.network("store-call") { $0.calls = ["install"] }
    func judged(_ file: Inventory.File) throws -> Int? {
      try Self.judged("store-call", .made(files: [file], profiles: [profile]))?.count
    }
    #expect(try judged(.init(path: "index.html", bytes: 9, text: "go()")) == 1)
    #expect(try judged(.init(path: "index.html", bytes: 9, text: "go()", isCut: true)) == nil)
    let data = String(repeating: "a", count: 2000)
    let packed = Excerpt(of: Array("<script>pako.inflate('\(data)')</script>".utf8), most: 9_000)
    let file = Inventory.File(path: "index.html", bytes: 9, text: packed.text, gaps: packed.gaps)
    #expect(try judged(file) == nil)
  }
}
