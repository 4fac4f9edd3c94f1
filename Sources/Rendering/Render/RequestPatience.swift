internal import Core
internal import WebKitRuntime

/// Until when, by the machine's time, a request that is under way holds that of the pages.
enum RequestPatience {
  /// For what a script or a player asked for to begin. Long polls are kept for half a minute, answers come within a few
  /// seconds, and pages that mind give up after about as many.
  private static let answer = Duration.seconds(5)
  /// For a picture to begin: one that is seen comes from a host that answers in a fraction of this, and of those that
  /// only count somebody each creative has several, whose hosts may be gone.
  private static let image = Duration.seconds(2)
  /// For whatever holds time at all, and for what may flow on as long as it likes once it flows.
  private static let least = Duration.seconds(1)
  /// The part of a render's time allowed in which requests hold its time; the rest is for screenshots.
  private static let share = 0.75

  /// Nil for one that holds no time.
  ///
  /// - Parameter last: when none holds for long any more.
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

  /// When requests hold time for long no more, in a render that may take so many seconds.
  static func last(from began: ContinuousClock.Instant, timeout: Double) -> ContinuousClock.Instant {
    began + Bounded.seconds(timeout * share)
  }
}

/// How long a render has waited in vain for answers that never began, lest one after the other costs it all its time.
struct SilenceBudget {
  /// In all, for each purpose: twice what one may take, and for pictures half as much more than one, as there are many.
  private static let whole: [OpenRequest.Purpose: Duration] = [
    .image: .seconds(3), .script: .seconds(10), .media: .seconds(10),
  ]

  private var left = whole

  /// When a request that is looked at from `begin` on holds time no more; nil for one that holds none.
  func end(
    of request: OpenRequest, since begin: ContinuousClock.Instant, last: ContinuousClock.Instant
  ) -> ContinuousClock.Instant? {
    guard let end = RequestPatience.end(of: request, last: last) else { return nil }
    guard request.isUnanswered, let left = left[request.purpose] else { return end }
    return min(end, begin + left)
  }

  /// Takes in that time was held for these from `begin` to `now`, and nothing came.
  ///
  /// - Parameter others: when all else held it no more.
  mutating func spend(
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
