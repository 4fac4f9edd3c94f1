internal import Checks
internal import Digests
internal import FoundationEssentials

/// One HTML file that needs nothing else: no network, no other file, and no script but its own may run in it.
package enum HTMLReport {
  /// The whole page, every picture in it.
  package static func text(_ source: ReportSource) async -> String {
    let page = ReportPage(source: source, album: await PictureAlbum.of(source))
    return String(decoding: Node.document(document(page)), as: UTF8.self)
  }

  private static func document(_ page: ReportPage) -> Node {
    element("html", ["lang": "en"]) {
      element("head") {
        element("meta", ["charset": "utf-8"])
        element("meta", ["http-equiv": "Content-Security-Policy", "content": policy])
        element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
        element("meta", ["name": "referrer", "content": "no-referrer"])
        element("meta", ["name": "color-scheme", "content": "light dark"])
        element("title") { "Galley: \(page.tally.headline)" }
        element("style") { Node.raw(style) }
      }
      element("body") {
        page.body
        element("script") { Node.raw(script) }
      }
    }
  }

  /// Only this very style and script, and pictures that the page itself carries.
  private static var policy: String {
    "default-src 'none'; img-src data:; style-src '\(hash(style))'; script-src '\(hash(script))'; "
      + "base-uri 'none'; form-action 'none'"
  }

  private static func hash(_ text: String) -> String {
    "sha256-" + Data(SHA256.of(text).bytes).base64EncodedString()
  }

  private static let style = String(decoding: PackageResources.report_css, as: UTF8.self)
  private static let script = String(decoding: PackageResources.report_js, as: UTF8.self)
}
