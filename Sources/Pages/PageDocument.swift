package import Core
internal import FoundationEssentials

/// A page that carries all it needs in one file: no other style or script may run in it, and nothing is loaded.
package struct PageDocument: Sendable {
  private let title: String
  private let style: String
  private let script: String

  /// The look that all pages have comes first, then what this page adds.
  package init(title: String, parts: [PageLook.Part]) {
    self.title = title
    let all = [PageLook.base] + parts
    style = String(decoding: all.flatMap(\.style), as: UTF8.self)
    script = String(decoding: all.flatMap(\.script), as: UTF8.self)
  }

  /// What stands between the tags of the document's head.
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

  /// The page's one script; last in its body, so that everything is there.
  package var foot: Markup { "<script>\(Markup(raw: script))</script>" }

  /// This very style and script by their hashes, and pictures that the page itself has.
  private var policy: String {
    FinishedPage.firstRule + " style-src '\(Self.hash(style))'; script-src '\(Self.hash(script))'; "
      + "base-uri 'none'; form-action 'none'"
  }

  private static func hash(_ text: String) -> String {
    "sha256-" + Data(SHA256.of(text).bytes).base64EncodedString()
  }
}

/// A whole page of Galley's as it is in a file.
package struct FinishedPage: Sendable {
  fileprivate static let firstRule = "default-src 'none'; img-src data:;"
  /// What stands first in the head of each: a page that lets nothing foreign run.
  fileprivate static let mark =
    #"<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content=""# + firstRule
  /// Letters among which the mark is.
  private static let markedBefore = 400
  /// For who serves one: the page's own rules, which name its style and script, count besides.
  package static let policy =
    firstRule + " style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    + "frame-ancestors 'none'"

  package let html: String

  /// Takes the text of a page; nil for one that isn't Galley's.
  package init?(_ html: String) {
    guard html.prefix(Self.markedBefore).contains(Self.mark) else { return nil }
    self.html = html
  }
}
