import Jobs
import Testing

@testable import Checks

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

  private func evidence(
    until: Double, changes: [Double], animations: AnimationAudit = AnimationAudit(), media: [MediaElement] = []
  ) -> Evidence {
    let document = DocumentAudit(media: media, animations: animations)
    let measured = Given.measured(motion: Given.motion(until: until, changes: changes), document: document)
    return Given.of(measured, profiles: Self.strict)
  }

  @Test("what was seen to rest moved for as long as that, whatever else the document runs")
  func rested() throws {
    let animations = AnimationAudit(running: 1, endless: 1, names: ["spin on i"])
    #expect(try Check.motionLength.messages(evidence(until: 31, changes: [1, 15.2], animations: animations)) == [])
    #expect(
      try Check.motionLength.messages(evidence(until: 31, changes: [1, 17])) == [
        "its motion has 16.7 s: strict allows 15 s"
      ])
    #expect(try Check.endlessMotion.messages(evidence(until: 31, changes: [1, 15], animations: animations)) == [])
  }

  @Test("of what was watched briefly, the document says when it will end")
  func told() throws {
    let long = AnimationAudit(running: 1, end: 20_050)
    #expect(
      try Check.motionLength.messages(evidence(until: 3, changes: [1, 2.9], animations: long)) == [
        "its motion has 19.9 s: strict allows 15 s"
      ])
    let exact = AnimationAudit(running: 1, end: 15_060)
    #expect(try Check.motionLength.messages(evidence(until: 3, changes: [1, 2.9], animations: exact)) == [])
    #expect(try Check.motionLength.messages(evidence(until: 3, changes: [], animations: long)) == [])
  }

  @Test("motion without an end is seen after 30 s, or told by the document")
  func endless() throws {
    #expect(
      try Check.endlessMotion.messages(evidence(until: 31.2, changes: [1, 31])) == [
        "it still moves 31 s after its load"
      ])
    #expect(try Check.endlessMotion.messages(evidence(until: 31.2, changes: [1, 30.2])) == [])
    let animations = AnimationAudit(running: 1, endless: 1, names: ["spin on i"])
    let film = MediaElement(selector: "video", isPlaying: true, isAudible: false, loops: true)
    #expect(
      try Check.endlessMotion.messages(evidence(until: 3, changes: [1], animations: animations, media: [film])) == [
        "the animation spin on i has no end", "the loop of video has no end",
      ])
    #expect(try Check.endlessMotion.messages(evidence(until: 3, changes: [], animations: animations)) == [])
  }

  @Test("motion that ends on one colour has no end frame, and one that was blank before its end has")
  func blankEnd() throws {
    func messages(endsBlank: Bool, isBlank: Bool = false, until: Double = 6) throws -> [String]? {
      var motion = Given.motion(until: until, changes: [1, 3.4])
      (motion.endsBlank, motion.isBlank) = (endsBlank, isBlank)
      return try Check.noEndFrame.messages(Given.of(Given.measured(motion: motion)))
    }
    #expect(try messages(endsBlank: true) == ["after 3 s it stands on a picture of one colour"])
    #expect(try messages(endsBlank: false) == [])
    #expect(try messages(endsBlank: true, isBlank: true) == [])
    #expect(try messages(endsBlank: true, until: 4) == [])
    #expect(try Check.noEndFrame.messages(evidence(until: 6, changes: [])) == nil)
  }

  @Test("motion that nothing bounds and that lasts beyond fifteen seconds has no end frame")
  func movingEnd() throws {
    #expect(
      try Check.noEndFrame.messages(evidence(until: 20, changes: [1, 19.8])) == [
        "watched for 20 s, it still moved: no frame stood"
      ])
    #expect(try Check.noEndFrame.messages(evidence(until: 15, changes: [1, 14.8])) == [])
    #expect(try Check.noEndFrame.messages(evidence(until: 32, changes: [1, 31.8])) == [])
    let told = AnimationAudit(running: 1, end: 25_000)
    #expect(try Check.noEndFrame.messages(evidence(until: 20, changes: [1, 19.8], animations: told)) == [])
  }

  @Test("loops are held against the networks' numbers, and what never ends has none")
  func loops() throws {
    func messages(_ loops: Double?) throws -> [String]? {
      try Check.loopCount.messages(
        evidence(until: 3, changes: [1], animations: AnimationAudit(running: 1, loops: loops)))
    }
    #expect(try messages(4) == ["an animation has 4 loops: strict allows 3 loops"])
    #expect(try messages(3) == [])
    #expect(try messages(nil) == [])
  }

  @Test("four flashes in a second are too many, and dangerous where they are large")
  func flashing() throws {
    func remark(_ most: Int, area: Double) throws -> Remark? {
      let flashes = FlashMeasure(count: most, mostInOneSecond: most, worstFrom: 0, area: area, share: 0.5)
      return try Check.flashing.judge(Given.of(Given.measured(motion: Given.motion(until: 3, flashes: flashes))))?.first
    }
    #expect(try remark(3, area: 90_000) == nil)
    #expect(try remark(4, area: 21_824)?.severity == .error)
    #expect(try remark(4, area: 8_000)?.severity == .warning)
    #expect(try remark(4, area: 8_000)?.message == "50 % of it flashes 4 times in a second")
  }

  @Test("flashes are held against the networks' numbers")
  func flashCount() throws {
    let flashes = FlashMeasure(count: 5, mostInOneSecond: 1, worstFrom: 0, area: 9, share: 0.5)
    let measured = Given.measured(motion: Given.motion(until: 9, flashes: flashes))
    #expect(
      try Check.flashCount.messages(Given.of(measured, profiles: Self.strict)) == [
        "its motion has 5 flashes: strict allows 3 flashes"
      ])
    #expect(try Check.flashCount.messages(Given.of(measured)) == nil)
  }
}
