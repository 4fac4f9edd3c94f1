internal import Core
internal import RenderModel

/// What people need who can't see an ad, or not well.
enum AccessibilityChecks {
  static let all: [Check] = [
    missingLanguage, missingTitle, unnamedImage, unnamedLink, unnamedControl, unnamedFrame, faintClose, smallClose,
  ]

  static let missingLanguage = Check(
    "missing-language", family: .accessibility, severity: .warning, title: "No language",
    why: "Without it a screen reader reads the ad in whatever language it happens to be in.",
    remedy: "Write it on the first element: <html lang=\"en\">.", source: .wcag("3.1.1", "language-of-page")
  ) { context in
    // Markup without a document of its own is in the language of the page around it.
    guard context.record.creative.kind != "fragment", let documents = context.documents else { return nil }
    let silent = documents.filter { ($0.document.language ?? "").isEmpty && $0.document.hasWords }
    return silent.prefix(1).map { _ in CheckIssue("the document doesn't say which language it is in") }
  }

  static let missingTitle = Check(
    "missing-title", family: .accessibility, severity: .note, title: "No title",
    why: "Ads are shown in frames, and a title is how a screen reader tells one frame from another.",
    remedy: "Give the document a <title> with the brand's name.", source: .wcag("2.4.2", "page-titled")
  ) { context in
    guard context.record.creative.kind != "fragment", let documents = context.documents else { return nil }
    let silent = documents.filter { ($0.document.title ?? "").isEmpty }
    return silent.prefix(1).map { _ in CheckIssue("the document has no title") }
  }

  static let unnamedImage = named(
    "image", "missing-text-alternative", title: "Picture without a text",
    why: "Who can't see the picture doesn't learn what it says; often it is all that the ad says.",
    remedy: "Write alt text on it, alt=\"\" where it only decorates, aria-label on a canvas.",
    source: .wcag("1.1.1", "non-text-content")
  ) { "\($0.called) has no text alternative" }

  static let unnamedLink = named(
    "link", "unnamed-link", title: "Link without a name",
    why: "A screen reader can only say \"link\", and reads out the address at best.",
    remedy: "Put text into it, alt text on the picture in it, or aria-label.",
    source: .wcag("2.4.4", "link-purpose-in-context")
  ) { "\($0.called) is a link without a name" }

  static let unnamedControl = named(
    "control", "unnamed-control", title: "Control without a name",
    why: "A screen reader can't say what the button or field is for.",
    remedy: "Put text into it, label it, or use aria-label.", source: .wcag("4.1.2", "name-role-value")
  ) { "\($0.called) is a control without a name" }

  static let unnamedFrame = named(
    "frame", "unnamed-frame", title: "Frame without a title", severity: .note,
    why: "A screen reader can't say what the frame holds before somebody goes into it.",
    remedy: "Give the iframe a title.", source: .wcag("4.1.2", "name-role-value")
  ) { "\($0.called) is a frame without a title" }

  /// A check of one kind of what says nothing to who can't see it.
  private static func named(
    _ kind: String, _ id: String, title: String, severity: Severity = .warning, why: String, remedy: String,
    source: Citation, message: @escaping @Sendable (DocumentAudit.Element) -> String
  ) -> Check {
    Check(
      id, family: .accessibility, severity: severity, title: title, why: why, remedy: remedy, source: source
    ) { context in
      context.issues(on: { $0.document.unnamed.filter { $0.kind == kind } }) { element, _ in message(element) }
    }
  }

  static let faintClose = Check(
    "faint-close", family: .accessibility, severity: .warning, title: "Close button hard to see",
    why: "A close button needs a contrast of 3 to 1 with what is around it, or people don't find it.",
    remedy: "Draw it dark on a light disc, or light on a dark one.", source: .wcag("1.4.11", "non-text-contrast")
  ) { context in
    closeRemarks(context) { control, _ in
      guard let contrast = control.contrast, contrast < 3 else { return nil }
      return ("has a contrast of \(contrast) to 1", Finding.Measure(value: contrast, limit: 3, unit: "ratio"))
    }
  }

  static let smallClose = Check(
    "small-close", family: .accessibility, severity: .warning, title: "Close button too small",
    why: "A finger misses what is smaller than 24 dip, and MRAID wants 50 where the ad draws the close control.",
    remedy: "Make what can be tapped 50×50, whatever the sign in it measures.",
    source: .wcag("2.5.8", "target-size-minimum")
  ) { context in
    let least = context.usesMRAID ? 50.0 : 24.0
    return closeRemarks(context) { control, _ in
      let frame = control.element.frame
      let side = min(frame.width, frame.height)
      guard side < least - 0.5 else { return nil }
      return (
        "is \(frame.width.rounded().plain)×\(frame.height.rounded().plain) dip",
        Finding.Measure(value: side, limit: least, unit: "dip")
      )
    }
  }

  /// A remark for each close button of the ad's own that is wrong in any state.
  private static func closeRemarks(
    _ context: CheckContext,
    _ wrong: (DocumentAudit.CloseControl, CheckContext.Read) -> (said: String, measure: Finding.Measure)?
  ) -> [CheckIssue]? {
    guard let documents = context.documents else { return nil }
    let controls = documents.flatMap { read in read.document.closeControls.map { (read, $0) } }
    guard !controls.isEmpty else { return nil }
    var known: Set<String> = []
    return controls.compactMap { read, control in
      let selector = control.element.selector
      guard let wrong = wrong(control, read), known.insert(selector).inserted else { return nil }
      var issue = CheckIssue("the close button \(selector) \(wrong.said)", subject: selector, measure: wrong.measure)
      issue.screenshot = read.page.screenshot
      return issue
    }
  }
}

extension DocumentAudit.Element {
  /// `img.hero (hero.png)`
  fileprivate var called: String { text.isEmpty ? selector : "\(selector) (\(text))" }
}

extension DocumentAudit {
  /// Whether there is anything to be read out.
  fileprivate var hasWords: Bool { !textSizes.isEmpty || !unnamed.isEmpty || title != nil }
}
