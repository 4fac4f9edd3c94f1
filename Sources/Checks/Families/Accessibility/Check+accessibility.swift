internal import Jobs
internal import MRAID

extension Check {
  /// What people need who can't see an ad, or not well.
  static let accessibilityChecks: [Check] = [
    missingLanguage, missingTitle, unnamedImage, unnamedLink, unnamedControl, unnamedFrame, faintClose, smallClose,
  ]
}

extension Evidence {
  /// A page that answered.
  struct Read: Sendable {
    let page: PageAudit
    let document: DocumentAudit
  }

  /// The ad's documents, one a state; nil when none could be asked.
  var documents: [Read]? {
    let read = (measurements?.pages ?? []).compactMap { page in page.document.map { Read(page: page, document: $0) } }
    return read.isEmpty ? nil : read
  }

  /// A remark for each element that `elements` finds, and only one however many states show it.
  func remarks(
    on elements: (Read) -> [DocumentAudit.Element], message: (DocumentAudit.Element, Read) -> String
  ) -> [Remark]? {
    guard let documents else { return nil }
    var known: Set<String> = []
    return documents.flatMap { read in
      elements(read).filter { known.insert("\($0.kind) \($0.selector) \($0.text)").inserted }.map { element in
        var remark = Remark(message(element, read), subject: element.selector)
        remark.screenshot = read.page.picture
        return remark
      }
    }
  }
}

extension DocumentAudit.Element {
  /// `img.hero (hero.png)`
  var called: String { text.isEmpty ? selector : "\(selector) (\(text))" }
}
