internal import RenderModel

/// Motion of an ad without any action by the user.
enum MotionChecks {
  static let all: [Check] = [motionLength, endlessMotion, noEndFrame, loopCount, flashing, flashCount]

  static let motionLength = Check.limit(
    "motion-length", family: .behaviour, unit: .seconds, title: "Motion lasts too long",
    why: "Networks limit how long an ad may move by itself, most of them to 15 or 30 s.",
    remedy: "End every animation, loop and video within the limit, on a static frame.", source: .dv360, needs: .watched
  ) { context in
    guard let measurements = context.measurements, measurements.motion != nil else { return nil }
    guard let end = measurements.motionEnd else { return [] }
    return [Check.Reading(end.t / 1_000, what: end.isEnd ? "the motion" : "the endless motion")]
  }

  static let endlessMotion = Check(
    "endless-motion", family: .behaviour, severity: .warning, title: "Endless motion",
    why: "Nearly every network requires an ad to stop after 30 s, and endless motion drains batteries.",
    remedy: "Give animations a finite number of iterations, and end scripted motion and videos.",
    source: .wcag("2.2.2", "pause-stop-hide"), needs: .watched
  ) { context in
    guard let measurements = context.measurements, let motion = measurements.motion else { return nil }
    if let last = measurements.lastChange, last > Motion.longest {
      return [CheckIssue("the ad still moves \(Unit.seconds.text((last / 1_000).rounded(.down))) after its load")]
    }
    // It was seen to rest, or what runs for ever can't be seen.
    guard motion.until < Motion.longest, !motion.steps.isEmpty else { return [] }
    return measurements.endless.map { CheckIssue("\($0) has no end", subject: $0) }
  }

  static let flashing = Check(
    "flashing", family: .behaviour, severity: .error, title: "Flashes more than three times a second",
    why: "Flashes of a large area, more often than three times a second, can cause seizures.",
    remedy: "Flash at most three times in any second, or not at all.",
    source: .wcag("2.3.1", "three-flashes-or-below-threshold"), needs: .watched
  ) { context in
    guard let flashes = context.measurements?.motion?.flashes else { return nil }
    guard flashes.mostInOneSecond > 3 else { return [] }
    let share = Unit.percent.text((flashes.share * 100).rounded())
    var issue = CheckIssue(
      "\(share) of the ad flashes \(flashes.mostInOneSecond) times in a second",
      measure: Finding.Measure(value: Double(flashes.mostInOneSecond), limit: 3, unit: Unit.flashes.rawValue))
    // Below a quarter of ten degrees of sight WCAG allows it; networks don't.
    issue.severity = flashes.area >= Motion.dangerousArea ? .error : .warning
    return [issue]
  }

  static let flashCount = Check.limit(
    "flash-count", family: .behaviour, unit: .flashes, title: "Too many flashes",
    why: "Networks reject ads that flash, or that flash too often.",
    remedy: "Fade instead of flashing.", source: .googleRichMedia, needs: .watched
  ) { context in
    guard let flashes = context.measurements?.motion?.flashes else { return nil }
    return [Check.Reading(Double(flashes.count), what: "the motion")]
  }

  static let noEndFrame = Check(
    "no-end-frame", family: .behaviour, severity: .warning, title: "No end frame",
    why: "The last frame stays longest, so it must show the advertiser and the button.",
    remedy: "End the motion on a static frame with the message, the logo and the button.", source: .dv360,
    needs: .watched
  ) { context in
    guard let measurements = context.measurements, let motion = measurements.motion, let last = motion.lastChange
    else { return nil }
    if motion.until - last >= EndFrame.rest {
      guard motion.endsBlank == true, !motion.isBlank else { return [] }
      return [CheckIssue("after \(seconds(last)) the ad stops on a frame of one colour", subject: "blank")]
    }
    // What runs for ever, or says when it ends, is for others to judge.
    guard motion.until >= EndFrame.watched, last <= Motion.longest, !measurements.saysWhenItEnds else { return [] }
    return [CheckIssue("the ad still moved after \(seconds(motion.until)), without a static frame", subject: "moving")]
  }

  static let loopCount = Check.limit(
    "loop-count", family: .behaviour, unit: .loops, title: "Loops too often",
    why: "Networks limit how often an animation may play, most of them to three times.",
    remedy: "Give the animation fewer iterations, and end it on a static frame.", source: .amazon,
    needs: .watched.union([.document])
  ) { context in
    guard let measurements = context.measurements, let document = measurements.pages.first?.document else { return nil }
    // Without an end it has no number: that is its length's affair.
    let animations = document.animations.loops.map { [Check.Reading($0, what: "an animation")] } ?? []
    return animations + measurements.shownImages.map(loops)
  }

  private static func loops(of image: ImageMotion) -> Check.Reading {
    if let plays = image.plays { return Check.Reading(Double(plays), what: image.url) }
    return Check.Reading((halfMinute / image.loop).rounded(.down), what: "\(image.url), in 30 s,")
  }

  private static let halfMinute = 30_000.0

  private static func seconds(_ t: Double) -> String { Unit.seconds.text((t / 1_000).rounded(.down)) }
}

/// Limits that are common to all networks and standards.
enum Motion {
  /// Maximum duration in milliseconds, with half a second for delays of a busy machine.
  static let longest = 30_500.0
  /// Area in dip²: a quarter of any 10° of the field of view, by WCAG's 341 × 256 pixels.
  static let dangerousArea = 21_824.0
}

extension Measurements {
  /// Milliseconds for which the ad moves, by observation or by its document; nil if it doesn't move.
  ///
  /// `isEnd` is true if the motion ends then.
  fileprivate var motionEnd: (t: Double, isEnd: Bool)? {
    guard let motion, let last = lastChange else { return nil }
    // A picture shows a change up to a fifth of a second late, and the document began after the load.
    let seen = max(0, last - (load.first?.t ?? 0) - 200).tenths
    if last > Motion.longest { return (seen, false) }
    // Nothing that moves slowly takes longer from one change to the next.
    if motion.until - last >= 5_000 { return (seen, true) }
    if !endless.isEmpty { return (max(motion.until, Motion.longest).tenths, false) }
    let told = pages.compactMap(\.document?.animations).filter { $0.running > 0 }.map { ($0.end - 100).tenths }
    let images = shownImages.compactMap(\.length).map { ($0 - 100).tenths }
    return (([seen] + told + images).max() ?? seen, true)
  }

  /// Time of the last observed change without an action, in milliseconds; nil for none.
  fileprivate var lastChange: Double? { [motion?.lastChange, late?.lastChange].compactMap(\.self).max() }

  /// Animated images of an ad that was seen to move; endless ones only if a later observation, if any, saw motion.
  fileprivate var shownImages: [ImageMotion] {
    guard motion?.lastChange != nil else { return [] }
    return (images ?? []).filter { $0.plays != nil || late == nil || late?.lastChange != nil }
  }

  /// Names of the animations, videos and images that run without an end in the first page.
  fileprivate var endless: [String] {
    let images = shownImages.filter { $0.plays == nil }.map { "the loop of \($0.url)" }
    guard let document = pages.first?.document else { return images }
    let videos = document.media.filter { $0.isPlaying && $0.loops }.map { "the loop of \($0.selector)" }
    return document.animations.names.map { "the animation \($0)" } + videos + images
  }
}

extension Double {
  /// Milliseconds rounded down to tenths of a second, so that motion that ends in time also reads so.
  fileprivate var tenths: Double { (self / 100).rounded(.down) * 100 }
}

/// Times by which a frame counts as standing, in milliseconds.
private enum EndFrame {
  /// Time without motion after which an end frame is assumed.
  static let rest = 2_000.0
  /// Time of observation needed for a judgement, as all networks allow 15 s of motion.
  static let watched = 16_000.0
}

extension Measurements {
  /// Indicates if the first page has running animations, videos or images whose end, or lack of one, is known.
  fileprivate var saysWhenItEnds: Bool {
    if !shownImages.isEmpty { return true }
    guard let document = pages.first?.document else { return false }
    return document.animations.running > 0 || document.media.contains(where: \.isPlaying)
  }
}
