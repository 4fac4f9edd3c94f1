package import Core
internal import FoundationEssentials

/// Page that contains all it needs in one file: no other style or script may run in it, and nothing is loaded.
package struct PageDocument: Sendable {
  private let title: String
  private let style: String
  private let script: String

  /// Creates a page with the look that all pages share first, then this page's parts.
  package init(title: String, parts: [PageLook.Part]) {
    self.title = title
    let all = [PageLook.base] + parts
    style = String(decoding: all.flatMap(\.style), as: UTF8.self)
    script = String(decoding: all.flatMap(\.script), as: UTF8.self)
  }

  /// Content of the document's head element.
  package var head: Markup {
    """
    \(Markup(raw: FinishedPage.mark))\(Markup(raw: String(policy.dropFirst(FinishedPage.firstRule.count))))">\
    <meta name="viewport" content="width=device-width, initial-scale=1">\
    <meta name="referrer" content="no-referrer">\
    <meta name="color-scheme" content="light dark">\
    <title>\(title)</title>\
    <style>\(Markup(raw: style))</style>
    """
  }

  /// Single script of the page; last in its body, so that all elements exist when it runs.
  package var foot: Markup { "<script>\(Markup(raw: script))</script>" }

  /// Content security policy that allows exactly this style and script by their hashes, and embedded images.
  private var policy: String {
    FinishedPage.firstRule + " style-src '\(Self.hash(style))'; script-src '\(Self.hash(script))'; "
      + "base-uri 'none'; form-action 'none'"
  }

  private static func hash(_ text: String) -> String {
    "sha256-" + Data(SHA256.of(text).bytes).base64EncodedString()
  }
}

/// Complete page of Galley, as stored in a file.
package struct FinishedPage: Sendable {
  fileprivate static let firstRule = "default-src 'none'; img-src data:;"
  /// Beginning of every page's head, which marks a page that can't run foreign code.
  fileprivate static let mark =
    #"<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content=""# + firstRule
  /// Number of characters at a page's start within which the mark has to be.
  private static let markedBefore = 400
  /// Policy header for servers of pages; the page's own policy, which names its style and script, applies in addition.
  package static let policy =
    firstRule + " style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    + "frame-ancestors 'none'"

  package let html: String

  /// Accepts the text of a page; nil for one that isn't Galley's.
  package init?(_ html: String) {
    guard html.prefix(Self.markedBefore).contains(Self.mark) else { return nil }
    self.html = html
  }
}
