internal import Core
package import Engine

/// Instants of the machine's time until which open requests hold the pages' virtual time.
package enum RequestPatience {
  /// Time for an answer to a script or a player to begin.
  ///
  /// Long polls are kept for half a minute, answers arrive within a few seconds, and pages that care give up after
  /// about as many.
  private static let answer = Duration.seconds(5)
  /// Time for an image to begin.
  ///
  /// A visible image comes from a host that answers in a fraction of this. Tracking pixels, of which each creative has
  /// several, may have hosts that no longer exist.
  private static let image = Duration.seconds(2)
  /// Minimum time for any request that holds time, and for an answer that may continue for any length of time once it
  /// has begun.
  private static let least = Duration.seconds(1)
  /// Share of a render's time limit in which requests hold its time; the rest is for screenshots.
  private static let share = 0.75

  /// Instant until which the request holds time; nil if it holds none.
  ///
  /// - Parameter last: the instant after which no request holds time for long.
  static func end(of request: OpenRequest, last: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    let soonest = request.asked + least
    guard ["http:", "https:", "ws:", "wss:"].contains(where: request.url.hasPrefix) else { return soonest }
    switch (request.purpose, request.answer) {
    case (.stream, _), (_, .endless): return nil
    case (.media, .coming(let since, _)), (.script, .coming(let since, hasLength: false)): return since + least
    case (.script, .awaited), (.media, .awaited): return max(soonest, min(last, request.asked + answer))
    case (.image, .awaited): return max(soonest, min(last, request.asked + image))
    case (.script, .coming), (.image, .coming), (.part, _): return max(soonest, last)
    }
  }

  /// Instant after which requests no longer hold time for long, in a render with a time limit of `timeout` seconds.
  package static func last(from began: ContinuousClock.Instant, timeout: Double) -> ContinuousClock.Instant {
    began + Bounded.seconds(timeout * share)
  }
}

/// Time left to wait for answers that never begin, so that several silent hosts one after the other can't use up a
/// render's time.
package struct SilenceBudget: Sendable {
  /// Total time for each purpose: twice the time of one request; for images, of which there are many, one and a half
  /// times.
  private static let whole: [OpenRequest.Purpose: Duration] = [
    .image: .seconds(3), .script: .seconds(10), .media: .seconds(10),
  ]

  private var left = whole

  package init() {}

  /// Instant until which a request observed from `begin` on holds time; nil if it holds none.
  package func end(
    of request: OpenRequest, since begin: ContinuousClock.Instant, last: ContinuousClock.Instant
  ) -> ContinuousClock.Instant? {
    guard let end = RequestPatience.end(of: request, last: last) else { return nil }
    guard request.isUnanswered, let left = left[request.purpose] else { return end }
    return min(end, begin + left)
  }

  /// Deducts the time from `begin` to `now` in which these requests held time and nothing arrived.
  ///
  /// - Parameter others: the instant from which no other load held time.
  package mutating func spend(
    on requests: [OpenRequest], from begin: ContinuousClock.Instant, to now: ContinuousClock.Instant,
    beyond others: ContinuousClock.Instant, last: ContinuousClock.Instant
  ) {
    for (purpose, rest) in left {
      let ends = requests.filter { $0.purpose == purpose && $0.isUnanswered }.compactMap {
        end(of: $0, since: begin, last: last)
      }
      guard let end = ends.max() else { continue }
      let spent = min(now, end) - max(begin, others)
      if spent > .zero { left[purpose] = max(.zero, rest - spent) }
    }
  }
}
