internal import RenderModel

/// How an ad moves by itself.
enum MotionChecks {
  static let all: [Check] = [motionLength, endlessMotion, noEndFrame, loopCount, flashing, flashCount]

  static let motionLength = Check.limit(
    "motion-length", family: .behaviour, unit: .seconds, title: "Moves for too long",
    why: "Networks bound how long an ad may move by itself, most to 15 or 30 s.",
    remedy: "End every animation, loop and film within the limit, on a frame that stands.", source: .dv360
  ) { context in
    guard let measurements = context.measurements, measurements.motion != nil else { return nil }
    guard let end = measurements.motionEnd else { return [] }
    return [Check.Reading(end.t / 1_000, what: end.isEnd ? "its motion" : "its motion without an end")]
  }

  static let endlessMotion = Check(
    "endless-motion", family: .behaviour, severity: .warning, title: "Never comes to rest",
    why: "Nearly every network wants an ad at rest after 30 s, and motion without an end drains batteries.",
    remedy: "Give animations a number of iterations, and end scripted motion and films.",
    source: .wcag("2.2.2", "pause-stop-hide")
  ) { context in
    guard let measurements = context.measurements, let motion = measurements.motion else { return nil }
    if let last = motion.lastChange, last > Motion.longest {
      return [CheckIssue("it still moves \(Unit.seconds.text((last / 1_000).rounded(.down))) after its load")]
    }
    // It was seen to rest, or what runs for ever can't be seen.
    guard motion.until < Motion.longest, !motion.steps.isEmpty else { return [] }
    return measurements.endless.map { CheckIssue("\($0) has no end", subject: $0) }
  }

  static let flashing = Check(
    "flashing", family: .behaviour, severity: .error, title: "Flashes more than three times a second",
    why: "Flashes of more than a small area, more often than three times a second, can cause seizures.",
    remedy: "Flash no more than three times in any second, or not at all.",
    source: .wcag("2.3.1", "three-flashes-or-below-threshold")
  ) { context in
    guard let flashes = context.measurements?.motion?.flashes else { return nil }
    guard flashes.mostInOneSecond > 3 else { return [] }
    var issue = CheckIssue(
      "\(Unit.percent.text((flashes.share * 100).rounded())) of it flashes \(flashes.mostInOneSecond) times in a second",
      measure: Finding.Measure(value: Double(flashes.mostInOneSecond), limit: 3, unit: Unit.flashes.rawValue))
    // Below a quarter of ten degrees of sight WCAG allows it; networks don't.
    issue.severity = flashes.area >= Motion.dangerousArea ? .error : .warning
    return [issue]
  }

  static let flashCount = Check.limit(
    "flash-count", family: .behaviour, unit: .flashes, title: "Too many flashes",
    why: "Networks refuse ads that flash, or do it too often.",
    remedy: "Fade instead of flashing.", source: .googleRichMedia
  ) { context in
    guard let flashes = context.measurements?.motion?.flashes else { return nil }
    return [Check.Reading(Double(flashes.count), what: "its motion")]
  }

  static let noEndFrame = Check(
    "no-end-frame", family: .behaviour, severity: .warning, title: "No end frame",
    why: "Motion ends on the picture that stays longest: it has to say who advertises, and to hold the button.",
    remedy: "Let the motion end on a frame that stands, with the message, the logo and what to tap.", source: .dv360
  ) { context in
    guard let measurements = context.measurements, let motion = measurements.motion, let last = motion.lastChange
    else { return nil }
    if motion.until - last >= EndFrame.rest {
      guard motion.endsBlank == true, !motion.isBlank else { return [] }
      return [CheckIssue("after \(seconds(last)) it stands on a picture of one colour", subject: "blank")]
    }
    // What runs for ever, or says when it ends, is for others to judge.
    guard motion.until >= EndFrame.watched, last <= Motion.longest, !measurements.saysWhenItEnds else { return [] }
    return [CheckIssue("watched for \(seconds(motion.until)), it still moved: no frame stood", subject: "moving")]
  }

  static let loopCount = Check.limit(
    "loop-count", family: .behaviour, unit: .loops, title: "Loops too often",
    why: "Networks bound how often an animation may play, most to three times.",
    remedy: "Give the animation fewer iterations, and end on a frame that stands.", source: .amazon
  ) { context in
    guard let document = context.measurements?.pages.first?.document else { return nil }
    // Without an end it has no number: that is its length's affair.
    return document.animations.loops.map { [Check.Reading($0, what: "an animation")] } ?? []
  }

  private static func seconds(_ t: Double) -> String { Unit.seconds.text((t / 1_000).rounded(.down)) }
}

/// Numbers that everybody agrees on.
enum Motion {
  /// Milliseconds, with half a second for what a busy machine does to an ad that ends in time.
  static let longest = 30_500.0
  /// dip²: a quarter of any 10° of sight, by WCAG's 341 × 256 pixels.
  static let dangerousArea = 21_824.0
}

extension Measurements {
  /// For how many milliseconds the ad moves, by what was seen or what its document says will come, and whether it ends
  /// then; nil when it doesn't move.
  fileprivate var motionEnd: (t: Double, isEnd: Bool)? {
    guard let motion, let last = motion.lastChange else { return nil }
    // A picture shows a change up to a fifth of a second late, and the document began after the load.
    let seen = max(0, last - (load.first?.t ?? 0) - 200).tenths
    // Nothing that moves slowly takes longer from one change to the next.
    if motion.until - last >= 5_000 { return (seen, true) }
    if !endless.isEmpty { return (max(motion.until, Motion.longest).tenths, false) }
    let told = pages.compactMap(\.document?.animations).filter { $0.running > 0 }.map { ($0.end - 100).tenths }
    return (([seen] + told).max() ?? seen, true)
  }

  /// What the first page runs without an end.
  fileprivate var endless: [String] {
    guard let document = pages.first?.document else { return [] }
    let videos = document.media.filter { $0.isPlaying && $0.loops }.map { "the loop of \($0.selector)" }
    return document.animations.names.map { "the animation \($0)" } + videos
  }
}

extension Double {
  /// Milliseconds to whole tenths of a second, downwards: what ends in time must read so.
  fileprivate var tenths: Double { (self / 100).rounded(.down) * 100 }
}

/// When a frame stands, in milliseconds.
private enum EndFrame {
  /// Nothing that is an end moves again within this.
  static let rest = 2_000.0
  /// Ads may move for fifteen seconds everywhere.
  static let watched = 16_000.0
}

extension Measurements {
  /// Whether the first page's animations or films have an end that is known, or are known to have none.
  fileprivate var saysWhenItEnds: Bool {
    guard let document = pages.first?.document else { return false }
    return document.animations.running > 0 || document.media.contains(where: \.isPlaying)
  }
}
