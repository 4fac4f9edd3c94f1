internal import Core
internal import RenderModel

/// Needs of users with impaired or no sight.
enum AccessibilityChecks {
  static let all: [Check] = [
    missingLanguage, missingTitle, unnamedImage, unnamedLink, unnamedControl, unnamedFrame, faintClose, smallClose,
  ]

  static let missingLanguage = Check(
    "missing-language", family: .accessibility, severity: .warning, title: "No language declared",
    why: "Without a declared language, a screen reader reads the ad in the user's default language.",
    remedy: "Declare the language on the root element: <html lang=\"en\">.", source: .wcag("3.1.1", "language-of-page"),
    needs: .read
  ) { context in
    // Markup without a document of its own is in the language of the page around it.
    guard context.record.creative.kind != "fragment", let documents = context.documents else { return nil }
    let silent = documents.filter { ($0.document.language ?? "").isEmpty && $0.document.hasWords }
    return silent.prefix(1).map { _ in CheckIssue("the document doesn't declare its language") }
  }

  static let missingTitle = Check(
    "missing-title", family: .accessibility, severity: .note, title: "No document title",
    why: "Ads are shown in frames, and a screen reader tells frames apart by their titles.",
    remedy: "Give the document a <title> with the brand's name.", source: .wcag("2.4.2", "page-titled"), needs: .read
  ) { context in
    guard context.record.creative.kind != "fragment", let documents = context.documents else { return nil }
    let silent = documents.filter { ($0.document.title ?? "").isEmpty }
    return silent.prefix(1).map { _ in CheckIssue("the document has no title") }
  }

  static let unnamedImage = named(
    "image", "missing-text-alternative", title: "Image without a text alternative",
    why: "Users who can't see the image miss its content, which is often the ad's whole message.",
    remedy: "Add alt text; use alt=\"\" for decorative images and aria-label for a canvas.",
    source: .wcag("1.1.1", "non-text-content")
  ) { "\($0.called) has no text alternative" }

  static let unnamedLink = named(
    "link", "unnamed-link", title: "Link without a name",
    why: "A screen reader can only announce \"link\", or read out the address.",
    remedy: "Add text to the link, alt text to its image, or an aria-label.",
    source: .wcag("2.4.4", "link-purpose-in-context")
  ) { "\($0.called) is a link without a name" }

  static let unnamedControl = named(
    "control", "unnamed-control", title: "Control without a name",
    why: "A screen reader can't announce what the button or field is for.",
    remedy: "Add text to the control, a label, or an aria-label.", source: .wcag("4.1.2", "name-role-value")
  ) { "\($0.called) is a control without a name" }

  static let unnamedFrame = named(
    "frame", "unnamed-frame", title: "Frame without a title", severity: .note,
    why: "A screen reader can't announce what the frame contains before the user enters it.",
    remedy: "Add a title attribute to the iframe.", source: .wcag("4.1.2", "name-role-value")
  ) { "\($0.called) is a frame without a title" }

  /// Creates a check for one kind of element without a name for screen readers.
  private static func named(
    _ kind: String, _ id: String, title: String, severity: Severity = .warning, why: String, remedy: String,
    source: Citation, message: @escaping @Sendable (DocumentAudit.Element) -> String
  ) -> Check {
    Check(
      id, family: .accessibility, severity: severity, title: title, why: why, remedy: remedy, source: source,
      needs: .read
    ) { context in
      context.issues(on: { $0.document.unnamed.filter { $0.kind == kind } }) { element, _ in message(element) }
    }
  }

  static let faintClose = Check(
    "faint-close", family: .accessibility, severity: .warning, title: "Close button with low contrast",
    why: "Users overlook a close button whose contrast with its surroundings is below 3 to 1.",
    remedy: "Draw the button dark on a light disc, or light on a dark disc.",
    source: .wcag("1.4.11", "non-text-contrast"), needs: .read
  ) { context in
    closeRemarks(context) { control, _ in
      guard let contrast = control.contrast, contrast < 3 else { return nil }
      return ("has a contrast of \(contrast) to 1", Finding.Measure(value: contrast, limit: 3, unit: "ratio"))
    }
  }

  static let smallClose = Check(
    "small-close", family: .accessibility, severity: .warning, title: "Close button too small",
    why: "Users miss targets below 24 dip, and MRAID requires 50 dip if the ad draws the close control.",
    remedy: "Make the tappable area 50×50 dip; the icon inside may be smaller.",
    source: .wcag("2.5.8", "target-size-minimum"), needs: .read
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

  /// Returns an issue for each close button of the ad's own with a fault in any state.
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
  /// Selector and text, as `img.hero (hero.png)`.
  fileprivate var called: String { text.isEmpty ? selector : "\(selector) (\(text))" }
}

extension DocumentAudit {
  /// Indicates if the document has text or elements that a screen reader can read out.
  fileprivate var hasWords: Bool { !textSizes.isEmpty || !unnamed.isEmpty || title != nil }
}
