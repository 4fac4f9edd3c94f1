internal import AdManager
internal import Core
internal import Engine
internal import Hosting
internal import RenderModel

/// Delays an interstitial's close control for as long as the container does, and logs that.
///
/// The delay isn't among the ad's scheduled actions: a render needn't wait until an ad can be closed.
@EngineActor final class CloseTimer: @EngineActor AdTimer {
  private weak var render: RenderContext?

  init(_ render: RenderContext) { self.render = render }

  func schedule(after milliseconds: Double, _ action: @escaping () -> Void) {
    guard let render else { return }
    render.recorder.record(
      .host, .closeDelayed,
      ["seconds": .number(milliseconds / 1000), "reason": "the container shows it after a delay"])
    let action = CloseAction(action)
    Task { @EngineActor [weak render, clock = render.clock] in
      await clock.sleep(for: Bounded.milliseconds(milliseconds))
      guard let render, !render.isOver else { return }
      render.recorder.record(.host, .closeShown)
      action.run()
    }
  }
}

/// Action that shows the close control, boxed to pass through a task of the same actor.
@EngineActor private final class CloseAction {
  private let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
  func run() { body() }
}
