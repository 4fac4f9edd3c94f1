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
    <meta charset="utf-8">\
    <meta http-equiv="Content-Security-Policy" content="\(Markup(raw: policy))">\
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
    "default-src 'none'; img-src data:; style-src '\(Self.hash(style))'; script-src '\(Self.hash(script))'; "
      + "base-uri 'none'; form-action 'none'"
  }

  private static func hash(_ text: String) -> String {
    "sha256-" + Data(SHA256.of(text).bytes).base64EncodedString()
  }
}
