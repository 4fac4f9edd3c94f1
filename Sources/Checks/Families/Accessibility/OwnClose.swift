internal import Core
internal import Jobs
internal import MRAID

extension Check {
  static let faintClose = Check(
    "faint-close", family: .accessibility, severity: .warning, title: "Close button hard to see",
    why: "A close button needs a contrast of 3 to 1 with what is around it, or people don't find it.",
    remedy: "Draw it dark on a light disc, or light on a dark one.", source: .wcag("1.4.11", "non-text-contrast")
  ) { evidence in
    evidence.closeRemarks { control, _ in
      guard let contrast = control.contrast, contrast < 3 else { return nil }
      return ("has a contrast of \(contrast) to 1", Finding.Measure(value: contrast, limit: 3, unit: "ratio"))
    }
  }

  static let smallClose = Check(
    "small-close", family: .accessibility, severity: .warning, title: "Close button too small",
    why: "A finger misses what is smaller than 24 dip, and MRAID wants 50 where the ad draws the close control.",
    remedy: "Make what can be tapped 50×50, whatever the sign in it measures.",
    source: .wcag("2.5.8", "target-size-minimum")
  ) { evidence in
    let least = evidence.usesMRAID ? 50.0 : 24.0
    return evidence.closeRemarks { control, _ in
      let frame = control.element.frame
      let side = min(frame.width, frame.height)
      guard side < least - 0.5 else { return nil }
      return (
        "is \(frame.width.rounded().plain)×\(frame.height.rounded().plain) dip",
        Finding.Measure(value: side, limit: least, unit: "dip")
      )
    }
  }
}

extension Evidence {
  /// A remark for each close button of the ad's own that is wrong in any state.
  fileprivate func closeRemarks(
    _ wrong: (DocumentAudit.CloseControl, Read) -> (said: String, measure: Finding.Measure)?
  ) -> [Remark]? {
    guard let documents else { return nil }
    let controls = documents.flatMap { read in read.document.closeControls.map { (read, $0) } }
    guard !controls.isEmpty else { return nil }
    var known: Set<String> = []
    return controls.compactMap { read, control in
      let selector = control.element.selector
      guard let wrong = wrong(control, read), known.insert(selector).inserted else { return nil }
      var remark = Remark("the close button \(selector) \(wrong.said)", subject: selector, measure: wrong.measure)
      remark.screenshot = read.page.picture
      return remark
    }
  }
}
