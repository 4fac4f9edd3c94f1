internal import Jobs

extension Check {
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
    ) { evidence in
      evidence.remarks(on: { $0.document.unnamed.filter { $0.kind == kind } }) { element, _ in message(element) }
    }
  }
}
