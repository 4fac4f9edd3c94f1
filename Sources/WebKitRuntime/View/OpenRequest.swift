internal import Core
internal import CWebKitGTK

/// A request of a page that is under way: what it is for, and how far its answer has come.
package struct OpenRequest: Sendable {
  /// What the page wants of it, as the engine's own headers say.
  package enum Purpose: Sendable {
    /// An event stream, which is meant to stay open.
    case stream
    /// An answer that a script reads, which may be a poll that waits for news.
    case script
    /// A picture, or an address that is asked for as one to count somebody.
    case image
    /// What a player reads as far as it needs it, and no further.
    case media
    /// All else: documents, scripts, style sheets, fonts.
    case part
  }

  /// Where its answer stands.
  package enum Answer: Sendable {
    case awaited
    /// Its head is there, since this instant of the machine's time; whether that says how much comes.
    case coming(since: ContinuousClock.Instant, hasLength: Bool)
    /// It replaces itself over and over, without an end.
    case endless
  }

  package var url: String
  package var purpose: Purpose
  package var answer = Answer.awaited
  /// When it was asked for.
  package let asked: ContinuousClock.Instant

  package init(url: String, purpose: Purpose, asked: ContinuousClock.Instant) {
    self.url = url
    self.purpose = purpose
    self.asked = asked
  }
}

extension OpenRequest.Purpose {
  /// Read from the head that the engine sends; where that names no destination, what takes anything may be a script's.
  package init(accept: String?, destination: String?) {
    if accept == "text/event-stream" {
      self = .stream
    } else if let destination {
      self =
        switch destination {
        case "empty": .script
        case "image": .image
        case "audio", "video", "track": .media
        default: .part
        }
    } else {
      self = accept.map { $0 == "*/*" ? .script : $0.hasPrefix("image/") ? .image : .part } ?? .script
    }
  }

  @WebKitActor init(_ request: UnsafeMutablePointer<WebKitURIRequest>) {
    let headers = webkit_uri_request_get_http_headers(request)
    self.init(
      accept: HTTPHeader.value(of: "Accept", in: headers),
      destination: HTTPHeader.value(of: "Sec-Fetch-Dest", in: headers))
  }
}

extension OpenRequest.Answer {
  /// - Parameter length: bytes that the head promises; nil where it says nothing of it.
  package init(mimeType: String, length: Int?, at now: ContinuousClock.Instant) {
    let endless = ["text/event-stream", "multipart/x-mixed-replace"]
    self = endless.contains(mimeType) ? .endless : .coming(since: now, hasLength: length != nil)
  }
}

extension OpenRequest {
  /// Whether nothing of an answer has come.
  package var isUnanswered: Bool {
    if case .awaited = answer { true } else { false }
  }

  /// Whether its answer has begun and says how much comes.
  package var promisesLength: Bool {
    if case .coming(_, hasLength: true) = answer { purpose != .media } else { false }
  }
}
