internal import AdManager
internal import Core
internal import Device
internal import Engine
internal import Hosting
internal import RenderModel
internal import WebKitRuntime

/// Detects that a render has come to rest: no work of the host is pending, and the ads stay in their state.
@EngineActor final class StabilityWaiter {
  private let render: RenderContext
  /// Number of screenshots that have been requested and not taken yet.
  var screenshotsPending = 0

  init(_ render: RenderContext) { self.render = render }

  /// Default number of seconds without action after which an MRAID creative counts as at rest.
  static let rest = 0.1

  /// Indicates that no work of the host is pending, once the ad's load has ended.
  var isAtRest: Bool {
    guard let content = render.content else { return true }
    return content.isAtRest && screenshotsPending == 0 && render.turns.areOpen
      && render.stage.pages.values.allSatisfy(\.isIdle)
  }

  /// Waits until no transition, delivery or screenshot is pending; false on timeout.
  func waitUntilIdle(_ longest: Duration = .seconds(10)) async -> Bool {
    await render.recorder.wait(longest) { [self] in isAtRest && render.turns.isEmpty }
  }

  /// Waits until everything on the screen has loaded; false after 5 seconds.
  func waitUntilLoaded() async -> Bool {
    await render.recorder.wait(.seconds(5)) { [self] in
      guard let content = render.content else { return true }
      // Exposure may be told 200 ms late; always before the picture, so that no two logs differ in it.
      return content.context.scheduledCount == 0 && !render.browser.awaitsPlayer(of: content.context)
        && render.stage.pages.values.allSatisfy {
          $0.isIdle && ($0.isLoaded || $0.id == content.context.views.page) && $0.ownResourcesHaveEnded
        }
    }
  }

  /// Follows the creative through the states that it enters by itself, until it has rested for this number of seconds.
  ///
  /// A creative that never called the bridge has no states, so it is only watched if the job states an idle time.
  func waitForStableState(for seconds: Double) async {
    guard render.job.options.idleTime != nil || render.content?.context.hasSpoken == true else { return }
    while render.failure == nil, !render.capturer.isFull {
      let seen = render.transitions.count
      let moves = await render.recorder.wait(Bounded.seconds(seconds)) { [self] in
        render.transitions.count > seen || screenshotsPending > 0
      }
      guard moves else { return }
      _ = await waitUntilIdle()
    }
  }

  /// Waits while the creative navigates from document to document; one that never stops fails as a loop.
  func waitForNavigationToSettle() async {
    for _ in 0..<Self.mostLooks where isNavigating && render.failure == nil && !Task.isCancelled {
      let seen = documents
      _ = await render.recorder.wait(NavigationPolicy.shortestStay) { [self] in
        documents > seen || render.failure != nil
      }
    }
  }

  /// Number of documents that the creative has navigated to by itself.
  var documents: Int { render.content?.context.navigation.documents ?? 0 }

  /// Indicates that the creative has just gone to another document, or that such a document hasn't loaded yet.
  private var isNavigating: Bool {
    guard let context = render.content?.context else { return false }
    let isLoaded = render.stage.pages[context.views.page]?.isLoaded != false
    return context.navigation.isNavigating(at: render.clock.now, isLoaded: isLoaded)
  }

  /// Number of looks after which a document that never finishes loading is used as it is.
  private static let mostLooks = 40
}
