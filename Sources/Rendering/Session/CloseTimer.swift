internal import AdExperience
internal import Core
internal import Jobs
internal import MRAID
internal import WebKitRuntime

/// Withholds an interstitial's close control as long as the container does; the log says so.
///
/// It isn't among the session's scheduled actions: a render needn't wait until an ad can be closed.
@WebKitActor final class CloseTimer: @WebKitActor AdTimer {
  weak var session: RenderSession?

  func schedule(after milliseconds: Double, _ action: @escaping () -> Void) {
    guard let session else { return }
    session.recorder.record(
      .host, "closeWithheld",
      ["seconds": .number(milliseconds / 1000), "reason": "the container shows it after a delay"])
    let action = CloseAction(action)
    Task { @WebKitActor [weak session, clock = session.clock] in
      await clock.sleep(for: Bounded.milliseconds(milliseconds))
      guard let session, !session.isOver else { return }
      session.recorder.record(.host, "closeShown")
      action.run()
    }
  }
}

/// What shows the control, on its way through a task of the same actor.
@WebKitActor private final class CloseAction {
  private let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
  func run() { body() }
}
