import Core
import MRAID
import RenderModel
import Testing

@testable import Checks

/// Evidence of measurements, for tests of their checks.
enum MeasuredEvidence {
  static func of(
    _ measurements: Measurements, kind: String = "html", events: [Event] = [], profiles: [Profile] = []
  ) -> CheckContext {
    let record = RenderRecord(
      creative: .init(path: "ad.html", kind: kind),
      device: .init(name: "iphone-15", width: 393, height: 852, scale: 3, renderScale: 3),
      placement: .init(kind: .banner, width: 300, height: 250, position: nil), outcome: .completed)
    return CheckContext(
      record: record, journeys: [Journey(events: events)], measurements: measurements, profiles: profiles)
  }

  static func measured(
    bytes: Int = 0, samples: [(t: Double, seconds: Double)] = [], motion: MotionMeasure? = nil,
    document: DocumentAudit? = nil, surface: SurfaceAudit? = nil
  ) -> Measurements {
    let resources = [MeasuredResource(url: "creative://ad/film.mp4", origin: .creative, encoded: bytes)]
    let course = samples.map { ProcessorSample(t: $0.t * 1_000, seconds: $0.seconds) }
    let page = PageAudit(
      state: .default, t: 100, screenshot: "001-default", width: 300, height: 250, document: document, surface: surface)
    return Measurements(
      clock: .real, load: LoadBoundary.all(domContentLoaded: 50, windowLoad: 60, complete: 60, dividing: resources),
      resources: resources,
      heavyAd: HeavyAdBudget(resources: resources, samples: course, activation: nil, end: course.last?.t ?? 0),
      pages: [page], motion: motion)
  }

  /// Creates motion observed until `until` seconds with five pictures a second, and changes at these times.
  static func motion(until: Double, changes: [Double] = [], flashes: FlashMeasure = FlashMeasure()) -> MotionMeasure {
    MotionMeasure(
      from: 100, until: until * 1_000, frames: Bounded.int(until * 5, in: 0...1_000),
      steps: changes.map { MotionMeasure.Step(t: $0 * 1_000, share: 0.1) }, flashes: flashes)
  }

  static func element(_ kind: String, _ selector: String, width: Double = 50) -> DocumentAudit.Element {
    DocumentAudit.Element(
      kind: kind, selector: selector, text: "", frame: Rect(x: 0, y: 0, width: width, height: width))
  }
}

extension Check {
  /// Returns the messages of a check's issues; nil if there was nothing to judge.
  func messages(_ context: CheckContext) throws -> [String]? { try judge(context)?.map(\.message) }
}

@Suite("Judging documents")
struct DocumentCheckTests {
  typealias Given = MeasuredEvidence

  private func context(_ document: DocumentAudit, kind: String = "html", events: [Event] = []) -> CheckContext {
    Given.of(Given.measured(document: document), kind: kind, events: events)
  }

  @Test("language and title are a document's affair, not a fragment's")
  func fragments() throws {
    let silent = DocumentAudit(textSizes: [.init(element: Given.element("text", "p"), size: 12)])
    #expect(try AccessibilityChecks.missingLanguage.messages(context(silent))?.count == 1)
    #expect(try AccessibilityChecks.missingTitle.messages(context(silent))?.count == 1)
    #expect(try AccessibilityChecks.missingLanguage.messages(context(silent, kind: "fragment")) == nil)
    #expect(try AccessibilityChecks.missingTitle.messages(context(silent, kind: "fragment")) == nil)
    #expect(
      try AccessibilityChecks.missingLanguage.messages(context(DocumentAudit(language: "en", title: "Ad"))) == [])
  }

  @Test("each kind without a name has its check, and an element is told once")
  func names() throws {
    let kinds = ["image", "link", "control", "frame"]
    let document = DocumentAudit(unnamed: kinds.flatMap { [Given.element($0, "a#x"), Given.element($0, "a#x")] })
    for check in [
      AccessibilityChecks.unnamedImage, AccessibilityChecks.unnamedLink, AccessibilityChecks.unnamedControl,
      AccessibilityChecks.unnamedFrame,
    ] {
      let issues = try #require(try check.judge(context(document)))
      #expect(issues.count == 1, "\(check.id)")
      #expect(issues.first?.screenshot == "001-default")
    }
  }

  @Test("a close button is measured by whether the ad speaks MRAID")
  func closeSize() throws {
    let document = DocumentAudit(
      closeControls: [.init(element: Given.element("close", "button#x", width: 30), contrast: 2.5)])
    let call = Event(seq: 0, t: 0, source: .creative, name: "expand")
    #expect(try AccessibilityChecks.smallClose.messages(context(document)) == [])
    #expect(
      try AccessibilityChecks.smallClose.messages(context(document, events: [call])) == [
        "the close button button#x is 30×30 dip"
      ])
    #expect(
      try AccessibilityChecks.faintClose.messages(context(document)) == [
        "the close button button#x has a contrast of 2.5 to 1"
      ])
    #expect(try AccessibilityChecks.smallClose.messages(context(DocumentAudit())) == nil)
  }

  @Test("overflow counts where a finger can scroll there")
  func overflow() throws {
    let still = DocumentAudit(overflow: .init(x: 90, y: 40, scrolls: false))
    #expect(try LayoutChecks.overflow.messages(context(still)) == [])
    let loose = DocumentAudit(overflow: .init(x: 0.5, y: 40, scrolls: true))
    #expect(
      try LayoutChecks.overflow.messages(context(loose)) == [
        "in state default the page exceeds its 300x250 by 40 dip below"
      ])
  }

  @Test("a border is missed on a white or black edge only")
  func border() throws {
    func messages(_ surface: SurfaceAudit) throws -> [String]? {
      try LayoutChecks.missingBorder.messages(Given.of(Given.measured(surface: surface)))
    }
    #expect(try messages(SurfaceAudit(isBlank: false, hasBorder: false, whiteEdge: 0.9, blackEdge: 0))?.count == 1)
    #expect(try messages(SurfaceAudit(isBlank: false, hasBorder: true, whiteEdge: 0.9, blackEdge: 0)) == [])
    #expect(try messages(SurfaceAudit(isBlank: false, hasBorder: false, whiteEdge: 0.3, blackEdge: 0.2)) == [])
    #expect(try messages(SurfaceAudit(isBlank: true, hasBorder: false, whiteEdge: 1, blackEdge: 0)) == nil)
  }

  @Test(
    "ad.size is held against what the ad draws and where it is shown",
    arguments: [
      ("width=300,height=250", Rect(x: 0, y: 0, width: 300, height: 250), nil),
      ("width=300,height=250", Rect(x: -40, y: 10, width: 380, height: 200), nil),
      (
        "width=250,height=300", Rect(x: 0, y: 0, width: 300, height: 250),
        "ad.size is 250x300, but the ad draws 300x250"
      ),
      (
        "width=320,height=50", Rect(x: 0, y: 0, width: 300, height: 250),
        "ad.size is 320x50, but the ad draws 300x250"
      ),
      (
        "width=728,height=90", Rect(x: 0, y: 0, width: 900, height: 80),
        "ad.size is 728x90, but the ad is shown in 300x250"
      ),
      (
        "300 by 250", Rect(x: 0, y: 0, width: 300, height: 250),
        "ad.size is \"300 by 250\", not width=…,height=…"
      ),
    ] as [(String, Rect, String?)])
  func adSize(content: String, drawn: Rect, says: String?) throws {
    var context = context(DocumentAudit(drawn: drawn))
    context.inventory = Inventory(
      kind: "html", name: "ad.html",
      files: [.init(path: "index.html", text: "<meta content=\"\(content)\" name='ad.size'><p>Ad")])
    #expect(try LayoutChecks.wrongSizeMeta.messages(context) == (says.map { [$0] } ?? []))
  }

  @Test("without ad.size, or in a comment, there is no size to be wrong")
  func noSize() throws {
    var context = context(DocumentAudit(drawn: Rect(x: 0, y: 0, width: 300, height: 250)))
    for text in ["<p>Ad", "<!-- <meta name=\"ad.size\" content=\"width=1,height=1\"> -->"] {
      context.inventory = Inventory(kind: "html", name: "ad.html", files: [.init(path: "index.html", text: text)])
      #expect(try LayoutChecks.wrongSizeMeta.messages(context) == nil)
    }
  }

  @Test("a placeholder that is to be read is worse than one in an address that a server knows")
  func placeholders() throws {
    func element(_ kind: String, _ text: String) -> DocumentAudit.Element {
      .init(kind: kind, selector: "p", text: text, frame: Rect(x: 0, y: 0, width: 9, height: 9))
    }
    let document = DocumentAudit(placeholders: [
      element("text", "Hello {{ first_name }}, save ${amount} on [AD]"),
      element("link", "%%CLICK_URL_UNESC%%https://a.example/?x=%5BWHO%5D"),
    ])
    let issues = try #require(
      try UnfilledMacroCheck.unfilledMacro.judge(
        context(document, events: [Event(seq: 0, t: 0, source: .page, name: "loadFinished")])))
    #expect(
      issues.map(\.message) == [
        "p shows {{ first_name }}", "p shows ${amount}",
        "the link p leads to an address with %%CLICK_URL_UNESC%%, which Google Ad Manager fills in when it serves the ad",
        "the link p leads to an address with [WHO]",
      ])
    #expect(issues.map(\.severity) == [.error, .error, .note, nil])
  }
}

@Suite("Judging Chrome's budget")
struct HeavyAdCheckTests {
  typealias Given = MeasuredEvidence

  @Test("without measurements there is nothing to judge")
  func unmeasured() throws {
    var context = Given.of(Given.measured())
    context.measurements = nil
    for check in HeavyAdChecks.all + MotionChecks.all + AccessibilityChecks.all + LayoutChecks.all {
      #expect(try check.judge(context) == nil, "\(check.id)")
    }
  }

  @Test("more than 4 MiB from the network is told with both numbers")
  func network() throws {
    #expect(try HeavyAdChecks.heavyNetwork.messages(Given.of(Given.measured(bytes: 4 << 20))) == [])
    let issue = try #require(try HeavyAdChecks.heavyNetwork.judge(Given.of(Given.measured(bytes: 5_000_000)))?.first)
    #expect(issue.message == "the ad loads 5 MB before a user gesture; Chrome allows 4.2 MB")
    #expect(issue.measure == Finding.Measure(value: 5_000_000, limit: 4_194_304, unit: "B"))
  }

  @Test("a minute of the processor and half of any 30 s are limits of their own")
  func processor() throws {
    let slow = Given.of(Given.measured(samples: [(0, 0), (60, 20), (120, 40), (180, 61)]))
    #expect(try HeavyAdChecks.heavyProcessor.messages(slow)?.count == 1)
    #expect(try HeavyAdChecks.heavyWindow.messages(slow) == [])
    let bursting = Given.of(Given.measured(samples: [(0, 0), (10, 2), (40, 18), (50, 18)]))
    #expect(
      try HeavyAdChecks.heavyWindow.messages(bursting) == [
        "the ad used the processor for 16 s of the 30 s from 10 s on; Chrome allows 15 s"
      ])
    #expect(try HeavyAdChecks.heavyProcessor.messages(bursting) == [])
  }

  @Test("of an ad that moves, painting is part of it, so that it weighs less")
  func moving() throws {
    let motion = Given.motion(until: 30, changes: (1..<120).map { Double($0) / 5 })
    let context = Given.of(Given.measured(samples: [(0, 0), (30, 16)], motion: motion))
    let issue = try #require(try HeavyAdChecks.heavyWindow.judge(context)?.first)
    #expect(issue.severity == .warning)
    #expect(
      try HeavyAdChecks.heavyHeadroom.messages(Given.of(Given.measured(samples: [(0, 0), (30, 14)], motion: motion)))
        == [])
  }

  @Test("less than a fifth left is worth a warning, none left isn't said twice")
  func headroom() throws {
    let close = Given.of(Given.measured(bytes: 3_500_000, samples: [(0, 0), (30, 14)]))
    #expect(
      try HeavyAdChecks.heavyHeadroom.messages(close) == [
        "only 16.6 % of Chrome's limit for bytes from the network is left; Chrome allows 4.2 MB",
        "only 6.7 % of Chrome's limit for busiest 30 s is left; Chrome allows 15 s",
      ])
    #expect(try HeavyAdChecks.heavyHeadroom.messages(Given.of(Given.measured(bytes: 5_000_000))) == [])
  }

  @Test("working hard at rest is told, working hard while moving or loading isn't")
  func pace() throws {
    let busy: [(t: Double, seconds: Double)] = [(0, 0), (1, 0.8), (2, 1.6), (3, 2.4)]
    let resting = Given.of(Given.measured(samples: busy, motion: Given.motion(until: 3)))
    #expect(
      try HeavyAdChecks.heavyPace.messages(resting) == ["the ad uses 80 % of a processor while nothing on it changes"])
    let moving = Given.motion(until: 3, changes: [0.5, 1, 1.5, 2, 2.5])
    #expect(try HeavyAdChecks.heavyPace.messages(Given.of(Given.measured(samples: busy, motion: moving))) == nil)
    let calm = Given.measured(samples: [(0, 0), (1, 0.9), (2, 0.95), (3, 1)], motion: Given.motion(until: 3))
    #expect(try HeavyAdChecks.heavyPace.messages(Given.of(calm)) == [])
  }
}

@Suite("Judging motion")
struct MotionCheckTests {
  typealias Given = MeasuredEvidence

  private static let strict = [
    Profile(
      id: "strict", title: "Strict",
      rules: [
        Profile.Rule(check: "motion-length", limit: 15, note: "", source: Citation(title: "", url: "")),
        Profile.Rule(check: "loop-count", limit: 3, note: "", source: Citation(title: "", url: "")),
        Profile.Rule(check: "flash-count", limit: 3, note: "", source: Citation(title: "", url: "")),
      ])
  ]

  private func context(
    until: Double, changes: [Double], animations: AnimationAudit = AnimationAudit(), media: [MediaElement] = []
  ) -> CheckContext {
    let document = DocumentAudit(media: media, animations: animations)
    let measured = Given.measured(motion: Given.motion(until: until, changes: changes), document: document)
    return Given.of(measured, profiles: Self.strict)
  }

  @Test("what was seen to rest moved for as long as that, whatever else the document runs")
  func rested() throws {
    let animations = AnimationAudit(running: 1, endless: 1, names: ["spin on i"])
    #expect(
      try MotionChecks.motionLength.messages(context(until: 31, changes: [1, 15.2], animations: animations)) == [])
    #expect(
      try MotionChecks.motionLength.messages(context(until: 31, changes: [1, 17])) == [
        "the motion lasts 16.7 s: strict allows 15 s"
      ])
    #expect(
      try MotionChecks.endlessMotion.messages(context(until: 31, changes: [1, 15], animations: animations)) == [])
  }

  @Test("of what was watched briefly, the document says when it will end")
  func told() throws {
    let long = AnimationAudit(running: 1, end: 20_050)
    #expect(
      try MotionChecks.motionLength.messages(context(until: 3, changes: [1, 2.9], animations: long)) == [
        "the motion lasts 19.9 s: strict allows 15 s"
      ])
    let exact = AnimationAudit(running: 1, end: 15_060)
    #expect(try MotionChecks.motionLength.messages(context(until: 3, changes: [1, 2.9], animations: exact)) == [])
    #expect(try MotionChecks.motionLength.messages(context(until: 3, changes: [], animations: long)) == [])
  }

  @Test("motion without an end is seen after 30 s, or told by the document")
  func endless() throws {
    #expect(
      try MotionChecks.endlessMotion.messages(context(until: 31.2, changes: [1, 31])) == [
        "the ad still moves 31 s after its load"
      ])
    #expect(try MotionChecks.endlessMotion.messages(context(until: 31.2, changes: [1, 30.2])) == [])
    let animations = AnimationAudit(running: 1, endless: 1, names: ["spin on i"])
    let video = MediaElement(selector: "video", isPlaying: true, isAudible: false, loops: true)
    #expect(
      try MotionChecks.endlessMotion.messages(context(until: 3, changes: [1], animations: animations, media: [video]))
        == [
          "the animation spin on i has no end", "the loop of video has no end",
        ])
    #expect(try MotionChecks.endlessMotion.messages(context(until: 3, changes: [], animations: animations)) == [])
  }

  @Test("motion that ends on one colour has no end frame, and one that was blank before its end has")
  func blankEnd() throws {
    func messages(endsBlank: Bool, isBlank: Bool = false, until: Double = 6) throws -> [String]? {
      var motion = Given.motion(until: until, changes: [1, 3.4])
      (motion.endsBlank, motion.isBlank) = (endsBlank, isBlank)
      return try MotionChecks.noEndFrame.messages(Given.of(Given.measured(motion: motion)))
    }
    #expect(try messages(endsBlank: true) == ["after 3 s the ad stops on a frame of one colour"])
    #expect(try messages(endsBlank: false) == [])
    #expect(try messages(endsBlank: true, isBlank: true) == [])
    #expect(try messages(endsBlank: true, until: 4) == [])
    #expect(try MotionChecks.noEndFrame.messages(context(until: 6, changes: [])) == nil)
  }

  @Test("motion that nothing bounds and that lasts beyond fifteen seconds has no end frame")
  func movingEnd() throws {
    #expect(
      try MotionChecks.noEndFrame.messages(context(until: 20, changes: [1, 19.8])) == [
        "the ad still moved after 20 s, without a static frame"
      ])
    #expect(try MotionChecks.noEndFrame.messages(context(until: 15, changes: [1, 14.8])) == [])
    #expect(try MotionChecks.noEndFrame.messages(context(until: 32, changes: [1, 31.8])) == [])
    let told = AnimationAudit(running: 1, end: 25_000)
    #expect(try MotionChecks.noEndFrame.messages(context(until: 20, changes: [1, 19.8], animations: told)) == [])
  }

  @Test("loops are held against the networks' numbers, and what never ends has none")
  func loops() throws {
    func messages(_ loops: Double?) throws -> [String]? {
      try MotionChecks.loopCount.messages(
        context(until: 3, changes: [1], animations: AnimationAudit(running: 1, loops: loops)))
    }
    #expect(try messages(4) == ["an animation has 4 loops: strict allows 3 loops"])
    #expect(try messages(3) == [])
    #expect(try messages(nil) == [])
  }

  /// Creates the evidence of an ad with a moving image, seen to move in its first three seconds and, if observed,
  /// later.
  private func context(_ image: ImageMotion, late: LateWatch? = nil) -> CheckContext {
    var measured = Given.measured(
      motion: Given.motion(until: 3, changes: [1, 2.9]), document: DocumentAudit(animations: AnimationAudit()))
    (measured.images, measured.late) = ([image], late)
    return Given.of(measured, profiles: Self.strict)
  }

  @Test("an image's loops stand in its file")
  func images() throws {
    let endless = ImageMotion(url: "ball.gif", frames: 8, plays: nil, loop: 1_760)
    #expect(try MotionChecks.endlessMotion.messages(context(endless)) == ["the loop of ball.gif has no end"])
    #expect(try MotionChecks.motionLength.messages(context(endless))?.count == 1)
    #expect(
      try MotionChecks.loopCount.messages(context(endless)) == [
        "ball.gif, in 30 s, has 17 loops: strict allows 3 loops"
      ])
    let long = ImageMotion(url: "ball.gif", frames: 8, plays: 10, loop: 1_760)
    #expect(try MotionChecks.endlessMotion.messages(context(long)) == [])
    #expect(
      try MotionChecks.motionLength.messages(context(long)) == ["the motion lasts 17.5 s: strict allows 15 s"])
    #expect(try MotionChecks.loopCount.messages(context(long)) == ["ball.gif has 10 loops: strict allows 3 loops"])
    let short = ImageMotion(url: "ball.gif", frames: 8, plays: 2, loop: 1_760)
    for check in [MotionChecks.endlessMotion, MotionChecks.motionLength, MotionChecks.loopCount] {
      #expect(try check.messages(context(short)) == [])
    }
  }

  @Test("an image without an end that stood still at every later look isn't what moved")
  func hiddenImage() throws {
    let endless = ImageMotion(url: "ball.gif", frames: 8, plays: nil, loop: 1_760)
    let rests = LateWatch(firstEvent: 0, from: 16_000, until: 60_000)
    #expect(try MotionChecks.endlessMotion.messages(context(endless, late: rests)) == [])
    #expect(try MotionChecks.loopCount.messages(context(endless, late: rests)) == [])
  }

  @Test("motion by scripts that was seen half a minute later has no end")
  func scripts() throws {
    var measured = Given.measured(motion: Given.motion(until: 3, changes: [1, 2.9]))
    measured.late = LateWatch(firstEvent: 0, from: 16_000, until: 60_000, lastChange: 31_100)
    let context = Given.of(measured, profiles: Self.strict)
    #expect(try MotionChecks.endlessMotion.messages(context) == ["the ad still moves 31 s after its load"])
    #expect(
      try MotionChecks.motionLength.messages(context) == [
        "the endless motion lasts 30.8 s: strict allows 15 s"
      ])
  }

  @Test("four flashes in a second are too many, and dangerous where they are large")
  func flashing() throws {
    func issue(_ most: Int, area: Double) throws -> CheckIssue? {
      let flashes = FlashMeasure(count: most, mostInOneSecond: most, worstFrom: 0, area: area, share: 0.5)
      return try MotionChecks.flashing.judge(
        Given.of(Given.measured(motion: Given.motion(until: 3, flashes: flashes))))?.first
    }
    #expect(try issue(3, area: 90_000) == nil)
    #expect(try issue(4, area: 21_824)?.severity == .error)
    #expect(try issue(4, area: 8_000)?.severity == .warning)
    #expect(try issue(4, area: 8_000)?.message == "50 % of the ad flashes 4 times in a second")
  }

  @Test("flashes are held against the networks' numbers")
  func flashCount() throws {
    let flashes = FlashMeasure(count: 5, mostInOneSecond: 1, worstFrom: 0, area: 9, share: 0.5)
    let measured = Given.measured(motion: Given.motion(until: 9, flashes: flashes))
    #expect(
      try MotionChecks.flashCount.messages(Given.of(measured, profiles: Self.strict)) == [
        "the motion has 5 flashes: strict allows 3 flashes"
      ])
    #expect(try MotionChecks.flashCount.messages(Given.of(measured)) == nil)
  }
}
