internal import Jobs
internal import MRAID

extension Check {
  static let noEndFrame = Check(
    "no-end-frame", family: .behaviour, severity: .warning, title: "No end frame",
    why: "Motion ends on the picture that stays longest: it has to say who advertises, and to hold the button.",
    remedy: "Let the motion end on a frame that stands, with the message, the logo and what to tap.", source: .dv360
  ) { evidence in
    guard let measurements = evidence.measurements, let motion = measurements.motion, let last = motion.lastChange
    else { return nil }
    if motion.until - last >= EndFrame.rest {
      guard motion.endsBlank == true, !motion.isBlank else { return [] }
      return [Remark("after \(seconds(last)) it stands on a picture of one colour", subject: "blank")]
    }
    // What runs for ever, or says when it ends, is for others to judge.
    guard motion.until >= EndFrame.watched, last <= Motion.longest, !measurements.saysWhenItEnds else { return [] }
    return [Remark("watched for \(seconds(motion.until)), it still moved: no frame stood", subject: "moving")]
  }

  static let loopCount = limit(
    "loop-count", family: .behaviour, unit: .loops, title: "Loops too often",
    why: "Networks bound how often an animation may play, most to three times.",
    remedy: "Give the animation fewer iterations, and end on a frame that stands.", source: .amazon
  ) { evidence in
    guard let document = evidence.measurements?.pages.first?.document else { return nil }
    // Without an end it has no number: that is its length's affair.
    return document.animations.loops.map { [Reading($0, what: "an animation")] } ?? []
  }

  private static func seconds(_ t: Double) -> String { Unit.seconds.text((t / 1_000).rounded(.down)) }
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
