internal import CWebKitGTK
internal import Glibc

/// What a web view tells its owner, in the order it happened.
package enum WebViewEvent: Sendable {
  /// Posted by a script of the host's world.
  case message(String)
  /// The main frame began to load this address.
  case loadStarted(url: String)
  case loadCommitted(url: String)
  case loadFinished
  /// The main document failed; `interrupted` when it was the host that stopped it.
  case loadFailed(url: String, message: String, interrupted: Bool)
  /// A navigation was decided.
  case navigation(NavigationRequest, allowed: Bool)
  /// The page asked for a new window; it gets none.
  case popup(NavigationRequest)
  /// alert, confirm, prompt or beforeunload; answered at once.
  case dialog(kind: String, message: String)
  /// `window.close()`
  case closeRequested
  case resource(ResourceLoad)
  case permission(kind: String)
  case download(url: String)
  case fullScreen(entered: Bool)
  case print
  case fileChooser
  case authentication(host: String)
  case processEnded(ProcessEnd)
}

/// Why a web process is gone.
package enum ProcessEnd: String, Sendable {
  case crashed, memoryLimit, terminatedByHost
}

/// Where a page wants to go and why.
package struct NavigationRequest: Sendable {
  package enum Kind: String, Sendable {
    case link, form, backForward, reload, formResubmitted, other
  }
  package var url: String
  package var kind: Kind
  /// Whether a person's tap or key caused it.
  package var gesture: Bool
  package var isRedirect: Bool
}

/// One subresource or document, loaded or failed.
package struct ResourceLoad: Sendable {
  /// Bytes that are kept of an address; servers refuse longer ones.
  package static let longestURL = 8_192

  /// Cut where it is longer than is kept.
  package var url: String
  /// In the order the page asked for them, from 0.
  package var index: Int
  /// HTTP status; 200 for the creative's own files, 0 when there was no answer.
  package var status: Int
  package var mimeType: String
  /// Bytes of the body after decoding; -1 when unknown.
  package var bytes: Int
  /// Seconds since the view's first load.
  package var start: Double
  package var end: Double
  /// Why there was no answer, or not all of one; nil for an answer that says there is no such thing.
  package var failure: String?
  /// Each address on the way, when there were redirects.
  package var redirects: [String]
  /// When the page asked, in milliseconds of its own time, as the view's owner reckons that.
  package var asked = 0.0
  /// Whether it is a service worker's script.
  package var isServiceWorker = false
  package var method = "GET"
  /// Bytes of the body once decoded; nil unless the view tells heads.
  package var decodedBytes: Int?
  /// Both heads; empty unless the view tells them.
  package var requestHeaders: [HTTPHeader] = []
  package var responseHeaders: [HTTPHeader] = []

  /// Whether the page got nothing of it: it failed, or its head said that there is no such thing.
  package var hasNoBody: Bool { failure != nil || (status >= 400 && bytes < 0) }
}

extension ResourceLoad {
  /// An address as it is taken in; none gives an empty one.
  static func url(_ address: UnsafePointer<CChar>?) -> String {
    guard let address else { return "" }
    let bytes = UnsafeRawBufferPointer(start: address, count: strnlen(address, longestURL + 1))
    guard bytes.count > longestURL else { return String(cString: address) }
    return String(decoding: bytes.prefix(longestURL), as: UTF8.self) + "…"
  }
}

/// A line of a request's or an answer's head.
package struct HTTPHeader: Hashable, Sendable {
  package var name: String
  package var value: String

  /// What is kept of a head that somebody may have made to be long.
  private static let most = 100
  private static let longest = 4_000

  /// Every line, in order; none for a head that doesn't exist.
  @WebKitActor static func list(_ headers: OpaquePointer?) -> [HTTPHeader] {
    guard let headers else { return [] }
    var iterator = SoupMessageHeadersIter()
    soup_message_headers_iter_init(&iterator, headers)
    var found: [HTTPHeader] = []
    var (name, value): (UnsafePointer<CChar>?, UnsafePointer<CChar>?)
    while found.count < most, soup_message_headers_iter_next(&iterator, &name, &value) != 0, let name, let value {
      found.append(HTTPHeader(name: String(cString: name), value: String(String(cString: value).prefix(longest))))
    }
    return found
  }

  /// The value of one line; nil without it.
  @WebKitActor static func value(of name: String, in headers: OpaquePointer?) -> String? {
    guard let headers, let value = soup_message_headers_get_one(headers, name) else { return nil }
    return String(String(cString: value).prefix(longest))
  }
}

extension [HTTPHeader] {
  /// The value of a name, however it is written.
  package func value(of name: String) -> String? { first { $0.name.lowercased() == name }?.value }
}
