/// Request of a page that is under way: its purpose and the progress of its answer.
package struct OpenRequest: Sendable {
  /// Purpose for which the page made the request, according to the engine's own headers.
  package enum Purpose: Sendable {
    /// An event stream, which is meant to stay open.
    case stream
    /// An answer for a script, which may be a long poll.
    case script
    /// An image, including one that is requested only to count users.
    case image
    /// Audio, video or a text track, which a player reads only as far as it needs.
    case media
    /// All others: documents, scripts, style sheets, fonts.
    case part
  }

  /// Progress of the request's answer.
  package enum Answer: Sendable {
    case awaited
    /// Header received, at this instant of the machine's time; `hasLength` indicates if it states the body's length.
    case coming(since: ContinuousClock.Instant, hasLength: Bool)
    /// A stream that goes on without an end: an event stream, or a document that replaces itself again and again.
    case endless
  }

  package var url: String
  package var purpose: Purpose
  package var answer = Answer.awaited
  /// Time of the request, of the machine's clock.
  package let asked: ContinuousClock.Instant

  package init(url: String, purpose: Purpose, asked: ContinuousClock.Instant) {
    self.url = url
    self.purpose = purpose
    self.asked = asked
  }
}

extension OpenRequest.Purpose {
  /// Reads the purpose from the request's header.
  ///
  /// Without a destination, a request that accepts anything counts as a script's.
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
}

extension OpenRequest.Answer {
  /// - Parameter length: bytes of the body according to the header; nil if it states none.
  package init(mimeType: String, length: Int?, at now: ContinuousClock.Instant) {
    let endless = ["text/event-stream", "multipart/x-mixed-replace"]
    self = endless.contains(mimeType) ? .endless : .coming(since: now, hasLength: length != nil)
  }
}

extension OpenRequest {
  /// Indicates if no part of an answer has arrived.
  package var isUnanswered: Bool {
    if case .awaited = answer { true } else { false }
  }

  /// Indicates if the answer has begun and states its length; false for media.
  package var promisesLength: Bool {
    if case .coming(_, hasLength: true) = answer { purpose != .media } else { false }
  }
}
