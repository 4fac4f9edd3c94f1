internal import Core
internal import Foundation
internal import Pages

/// The page itself: the common style, and the script that plays.
struct PlayPage: Sendable {
  private let style: String
  private let script: String

  init() {
    style = String(decoding: PageLook.base.style + PackageResources.play_css, as: UTF8.self)
    script = String(decoding: PackageResources.play_js, as: UTF8.self)
  }

  /// Text of the whole document.
  var html: String {
    String(decoding: PackageResources.play_html, as: UTF8.self)
      .replacing("/*style*/", with: style, maxReplacements: 1)
      .replacing("/*script*/", with: script, maxReplacements: 1)
      .replacing("{version}", with: Galley.version, maxReplacements: 1)
  }

  /// Content security policy: allows only this style and script, and requests to this server.
  var policy: String {
    "default-src 'none'; img-src 'self' data: blob:; connect-src 'self'; style-src '\(Self.hash(style))'; "
      + "script-src '\(Self.hash(script))'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  }

  private static func hash(_ text: String) -> String { "sha256-" + Data(SHA256.of(text).bytes).base64EncodedString() }
}
