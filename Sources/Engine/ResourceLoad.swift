internal import Glibc
package import Pixels

/// One subresource or document, loaded or failed.
package struct ResourceLoad: Sendable {
  /// Maximum number of bytes kept of an address; servers refuse longer ones.
  package static let longestURL = 8_192

  /// Address, cut at `longestURL`.
  package var url: String
  /// Number of the resource in the order of the page's requests, from 0.
  package var index: Int
  /// HTTP status; 200 for the creative's own files, 0 when there was no answer.
  package var status: Int
  package var mimeType: String
  /// Bytes of the body: the length in the header, or the decoded length if the header states none; -1 if unknown.
  package var bytes: Int
  /// Seconds since the view's first load.
  package var start: Double
  package var end: Double
  /// Reason why there was no answer or only a part of one; nil for an answer with an error status.
  package var failure: String?
  /// Addresses before each redirect, in order.
  package var redirects: [String]
  /// Time of the request, in milliseconds of the page's time, as the view's owner counts it.
  package var asked = 0.0
  /// Indicates if it is a service worker's script.
  package var isServiceWorker = false
  package var method = "GET"
  /// Bytes of the body after decoding; nil if the header states the length, unless headers are recorded and the body
  /// was encoded.
  package var decodedBytes: Int?
  /// Animation of an image; nil for other resources, or if the view doesn't check images.
  package var animation: AnimatedImage?
  /// Indicates that the image was checked and has no animation.
  package var isStill = false
  /// Header lines of request and answer; empty unless the view records them.
  package var requestHeaders: [HTTPHeader] = []
  package var responseHeaders: [HTTPHeader] = []

  /// Indicates if the page got no body: the load failed, or its status was an error.
  package var hasNoBody: Bool { failure != nil || (status >= 400 && bytes < 0) }

  /// Creates a resource whose answer isn't there yet.
  package init(url: String, index: Int, requested start: Double) {
    (self.url, self.index, self.start, end) = (url, index, start, start)
    (status, mimeType, bytes, redirects) = (0, "", -1, [])
  }
}

extension ResourceLoad {
  /// Returns an address, cut at `longestURL` bytes; empty for nil.
  package static func url(_ address: UnsafePointer<CChar>?) -> String {
    guard let address else { return "" }
    let bytes = UnsafeRawBufferPointer(start: address, count: strnlen(address, longestURL + 1))
    guard bytes.count > longestURL else { return String(cString: address) }
    return String(decoding: bytes.prefix(longestURL), as: UTF8.self) + "…"
  }
}
