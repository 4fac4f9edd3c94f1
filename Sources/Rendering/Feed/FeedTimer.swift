internal import AdExperience
internal import WebKitRuntime

/// Waits in the render's time; nothing is at rest meanwhile.
@WebKitActor final class FeedTimer {
  weak var session: RenderSession?
}

extension FeedTimer: @WebKitActor AdTimer {
  func schedule(after milliseconds: Double, _ action: @escaping () -> Void) {
    session?.schedule(after: milliseconds, action)
  }
}
