internal import Jobs

extension Check {
  static let missingLanguage = Check(
    "missing-language", family: .accessibility, severity: .warning, title: "No language",
    why: "Without it a screen reader reads the ad in whatever language it happens to be in.",
    remedy: "Write it on the first element: <html lang=\"en\">.", source: .wcag("3.1.1", "language-of-page")
  ) { evidence in
    // Markup without a document of its own is in the language of the page around it.
    guard evidence.record.creative.kind != "fragment", let documents = evidence.documents else { return nil }
    let silent = documents.filter { ($0.document.language ?? "").isEmpty && $0.document.hasWords }
    return silent.prefix(1).map { _ in Remark("the document doesn't say which language it is in") }
  }

  static let missingTitle = Check(
    "missing-title", family: .accessibility, severity: .note, title: "No title",
    why: "Ads are shown in frames, and a title is how a screen reader tells one frame from another.",
    remedy: "Give the document a <title> with the brand's name.", source: .wcag("2.4.2", "page-titled")
  ) { evidence in
    guard evidence.record.creative.kind != "fragment", let documents = evidence.documents else { return nil }
    let silent = documents.filter { ($0.document.title ?? "").isEmpty }
    return silent.prefix(1).map { _ in Remark("the document has no title") }
  }
}

extension DocumentAudit {
  /// Whether there is anything to be read out.
  fileprivate var hasWords: Bool { !lettering.isEmpty || !unnamed.isEmpty || title != nil }
}
