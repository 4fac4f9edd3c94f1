internal import AdManager
internal import Core
internal import RenderModel
internal import WebKitRuntime

/// Tells when a render has come to rest: nothing of the host's is under way, and the ads stay where they are.
@WebKitActor final class StabilityWaiter {
  private let render: RenderContext
  /// Pictures asked for and not taken yet.
  var screenshotsPending = 0

  init(_ render: RenderContext) { self.render = render }

  /// Seconds that an MRAID creative has to do nothing before it counts as at rest, unless the caller says otherwise.
  static let rest = 0.1

  /// Whether nothing of the host's is under way, from the end of the ad's load on.
  var isAtRest: Bool {
    guard let content = render.content else { return true }
    return content.isAtRest && screenshotsPending == 0 && render.turns.areOpen
      && render.stage.pages.values.allSatisfy(\.isIdle)
  }

  /// Waits until no transition, delivery or picture is under way; false when it never came to that.
  func waitUntilIdle(_ longest: Duration = .seconds(10)) async -> Bool {
    await render.recorder.wait(longest) { [self] in isAtRest && render.turns.isEmpty }
  }

  /// Waits until everything on the screen has loaded; false when it never did.
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

  /// Follows the creative through the states it goes to by itself, until it has rested for so many seconds.
  ///
  /// One that never spoke to the bridge has no states, so it is only watched when the caller said for how long.
  func waitForStableState(for seconds: Double) async {
    guard render.job.options.idleTime != nil || render.content?.context.hasSpoken == true else { return }
    while render.failure == nil, !render.capture.isFull {
      let seen = render.transitions.count
      let moves = await render.recorder.wait(Bounded.seconds(seconds)) { [self] in
        render.transitions.count > seen || screenshotsPending > 0
      }
      guard moves else { return }
      _ = await waitUntilIdle()
    }
  }

  /// Waits while the creative sends itself from document to document; one that never stays fails as a loop.
  func waitForNavigationToSettle() async {
    for _ in 0..<Self.mostLooks where isNavigating && render.failure == nil && !Task.isCancelled {
      let seen = documents
      _ = await render.recorder.wait(NavigationPolicy.shortestStay) { [self] in
        documents > seen || render.failure != nil
      }
    }
  }

  /// Documents that the creative has gone to by itself.
  var documents: Int { render.content?.context.navigation.documents ?? 0 }

  /// Whether the creative went to another document just now, or one it went to isn't there yet.
  private var isNavigating: Bool {
    guard let context = render.content?.context else { return false }
    let isLoaded = render.stage.pages[context.views.page]?.isLoaded != false
    return context.navigation.isNavigating(at: render.clock.now, isLoaded: isLoaded)
  }

  /// Looks after which a document that never ends to load is taken as it is.
  private static let mostLooks = 40
}
