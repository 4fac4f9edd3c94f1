import Core
import Exploration
import RenderModel
import Testing

@Suite("What is odd")
struct AnomalyTests {
  @Test("is nothing about a creative where everything acts")
  func nothing() {
    var creative = FakeCreative.menu
    creative.rooms["expanded"]?.targets = [.button("#sea")]
    #expect(creative.exploration().odd == [])
  }

  @Test("a tap that led to nothing, but not one that was only a guess")
  func deadTap() {
    #expect(FakeCreative.menu.exploration().odd == ["dead-tap in 2: tap #dead"])
    var creative = FakeCreative.menu
    creative.rooms["expanded"]?.targets[1] = .button("#dead", ["under:#ad"])
    #expect(creative.exploration().odd == [])
    creative.rooms["expanded"]?.targets[1] = .button("#dead")
    creative.rooms["expanded"]?.events = ["#dead": [(.mraid, "sizeChange", .object([:]))]]
    #expect(creative.exploration().odd == [])
    creative.rooms["expanded"]?.events = ["#dead": [(.page, "console", ["text": "tapped"])]]
    #expect(creative.exploration().odd == ["dead-tap in 2: tap #dead"])
  }

  @Test("no dead tap when the picture changes elsewhere or in a drawing; how a button itself looks tells nothing")
  func pictures() {
    var creative = FakeCreative.menu
    let frame = Rect(x: 100, y: 100, width: 80, height: 40)
    creative.rooms["expanded"]?.targets[1].frame = frame
    for (changed, draws, isDead) in [
      (frame, false, true), (Rect(x: 96, y: 98, width: 88, height: 44), false, true), (frame, true, false),
      (Rect(x: 100, y: 100, width: 80, height: 60), false, false),
      (Rect(x: 0, y: 0, width: 1, height: 1), false, false),
    ] {
      creative.rooms["expanded"]?.changed = changed
      creative.rooms["expanded"]?.targets[1].draws = draws
      #expect(creative.exploration().odd == (isDead ? ["dead-tap in 2: tap #dead"] : []), "\(changed) \(draws)")
    }
    // Under an endless CSS animation pictures tell nothing, in a film or game not even that nothing happened.
    creative.rooms["expanded"]?.rest = .endlessAnimation
    #expect(creative.exploration().odd == ["dead-tap in 2: tap #dead"])
    creative.rooms["expanded"]?.rest = .unstable
    #expect(creative.exploration().odd == [])
  }

  @Test("no dead tap on a container while something in it acts")
  func container() {
    var creative = FakeCreative.menu
    creative.rooms["expanded"]?.targets = [
      .button("#dead"), .button("#row", ["cursor"], within: "#dead"), .button("#sea", within: "#row"),
    ]
    #expect(creative.exploration().odd == [])
  }

  @Test("a state that nothing leaves, once everything there was tried")
  func noWayOut() {
    var creative = FakeCreative.menu
    creative.rooms["start"]?.ways["#open"] = "thanks"
    creative.rooms["thanks"] = FakeCreative.Room(text: "Thank you")
    #expect(creative.exploration().odd == ["no-way-out in 2: –"])
    creative.rooms["thanks"]?.targets = [.button("#again")]
    creative.rooms["thanks"]?.ways = ["#again": "start"]
    #expect(creative.exploration().odd == [])
    #expect(creative.exploration(Budget(actions: 1)).odd == [])
  }

  @Test("a close button of the creative's own that can't be reached", arguments: [TapTarget.Reach.covered, .offScreen])
  func closeCovered(reach: TapTarget.Reach) {
    var creative = FakeCreative.menu
    creative.rooms["expanded"]?.targets = [.button("#sea"), .button("#x", reach: reach, closes: true)]
    #expect(creative.exploration().odd == ["close-covered in 2: –"])
    creative.rooms["expanded"]?.targets = [.button("#sea"), .button("#x", reach: reach)]
    #expect(creative.exploration().odd == [])
    creative.rooms["expanded"]?.targets = [.button("#sea"), .button("#x", reach: .underClose)]
    #expect(creative.exploration().odd == ["under-close in 2: –"])
  }

  @Test("no close button that a banner in its slot has no need of yet, but any of an interstitial's")
  func unneededClose() {
    var creative = FakeCreative.menu
    creative.rooms["start"]?.targets.append(.button("#x", reach: .covered, closes: true))
    #expect(creative.exploration().odd == ["dead-tap in 2: tap #dead"])
    #expect(creative.exploration(placement: .interstitial).odd.contains("close-covered in 1: –"))
  }

  @Test("the host's close control where it can't be tapped, also half-way of a journey")
  func hostClose() {
    var creative = FakeCreative.menu
    creative.rooms["expanded"]?.targets = []
    creative.rooms["expanded"]?.closeFitsAway = false
    #expect(creative.exploration().odd == ["close-covered in 2: rotate and back"])
    creative.rooms["expanded"]?.closeFits = false
    #expect(creative.exploration().odd.contains("close-covered in 1: tap #open"))
  }

  @Test(
    "a trial that doesn't complete, with the way to it",
    arguments: [
      (RenderRecord.Outcome.crashed, "web-process-crashed", "crashed"), (.timedOut, "deadline-exceeded", "timed-out"),
      (.failed, "memory-exceeded", "crashed"), (.failed, "element-missing", "step-failed"),
    ])
  func failures(outcome: RenderRecord.Outcome, code: String, odd: String) {
    var creative = FakeCreative.menu
    creative.rooms["expanded"]?.targets = [.button("#sea"), .button("#bomb"), .button("#mine")]
    for button in ["#bomb", "#mine"] {
      creative.rooms["expanded"]?.failures[button] = (outcome, .creative(code, "it broke"))
    }
    let found = creative.exploration()
    #expect(found.odd == ["\(odd) in 2: tap #bomb", "\(odd) in 2: tap #mine"])
    let replay = found.anomalies.first.flatMap { found.replay(of: $0.trial) }
    #expect(replay?.scenario.steps.map(\.action).last == .tap(.selector("#bomb")))
    #expect(found.edges.contains { $0.end == .failed(code: code) })
  }

  @Test("calls without effect or before ready, errors, exceptions and clicks past open, each once")
  func events() {
    var creative = FakeCreative.menu
    creative.rooms["expanded"]?.targets = [.button("#sea"), .button("#bad")]
    creative.rooms["expanded"]?.events["#bad"] = [
      (.mraid, "ignored", ["command": "expand", "reason": "it is expanded"]),
      (.mraid, "premature", ["command": "open"]), (.mraid, "error", ["arguments": ["too small", "resize"]]),
      (.page, "exception", ["message": "boom"]), (.page, "exception", ["message": "boom"]),
      (.page, "rejection", ["message": "later"]),
      (.page, "popup", ["url": "https://a.example/", "gesture": true]),
      (.page, "navigation", ["url": "https://b.example/", "gesture": false, "allowed": false]),
      (.creative, "open", ["gesture": false, "arguments": ["https://c.example/"]]),
      (.page, "navigation", ["url": "creative://ad/two.html", "gesture": true, "allowed": true]),
    ]
    let found = creative.exploration()
    #expect(
      found.anomalies.map { "\($0.code.rawValue): \($0.message)" } == [
        "call-ignored: expand was ignored: it is expanded", "call-premature: open was called before ready",
        "click-without-open: popup to https://a.example/", "error-event: resize: too small", "exception: boom",
        "navigation-without-gesture: navigation to https://b.example/",
        "open-without-gesture: open(https://c.example/)", "rejection: later",
      ])
    #expect(found.anomalies.first { $0.code == .exception }?.count == 2)
  }

  @Test("a journey that doesn't end where it began")
  func journey() {
    var creative = FakeCreative.menu
    creative.rooms["expanded"]?.targets = [.button("#sea")]
    creative.rooms["start"]?.ways["journey"] = "lost"
    creative.rooms["lost"] = FakeCreative.Room(text: "Lost", targets: [.button("#home")], ways: ["#home": "start"])
    #expect(creative.exploration().odd.contains("journey-changed in 1: rotate and back"))
    creative.rooms["start"]?.events["journey"] = [(.creative, "close", ["arguments": []])]
    let closed = creative.exploration().odd
    #expect(!closed.contains("journey-changed in 1: rotate and back"), "it closed itself on purpose")
  }
}
