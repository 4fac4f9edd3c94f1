internal import Jobs
internal import MRAID

extension Check {
  static let earlyPlayback = Check(
    "media-before-viewable", family: .behaviour, severity: .warning, title: "Plays before it is seen",
    why: "Containers load ads ahead of time: what plays then is over, or heard, before anybody sees it.",
    remedy:
      "Start films, sounds and motion when isViewable() is true, or at the first viewableChange or exposureChange.",
    source: .mraid3
  ) { evidence in
    guard let early = evidence.measurements?.beforeShown else { return nil }
    guard early.media > 0 else { return [] }
    let what = early.media == 1 ? "a film or sound plays" : "\(early.media) films or sounds play"
    return [Remark("\(what) before the ad is shown")]
  }

  static let audibleStart = Check(
    "audible-start", family: .behaviour, severity: .error, title: "Sound unasked",
    why: "Networks and people refuse ads that make a noise before anybody asked for it.",
    remedy: "Begin muted, and unmute on a tap.",
    source: .dv360
  ) { evidence in
    guard let page = evidence.measurements?.pages.first, let document = page.document else { return nil }
    let heard = document.media.filter { $0.isPlaying && $0.isAudible }
    return heard.map {
      var remark = Remark("\($0.selector) plays with sound and nobody asked for it", subject: $0.selector)
      remark.screenshot = page.picture
      return remark
    }
  }
}
