internal import Jobs
internal import Pixels
internal import WebKitRuntime

extension AdPage {
  /// What the page shows now, in physical pixels.
  func picture(_ clock: RenderClock) async throws -> Bitmap {
    if clock.isVirtual, films.haveBeenSeen { await showFilms(clock) }
    guard view.isComposited, view.isVisible else { return try await view.snapshot() }
    var (rest, rests) = (composedRest, true)
    // What is drawn in one frame is handed over before the next begins, and that waits for the one before.
    for _ in 0..<2 {
      let drawn = view.drawings
      try await clock.nextFrame(of: view)
      let isKnown = clock.isVirtual && rest == ComposedRest(of: view)
      if clock.isVirtual, !isKnown, await clock.hold({ await isComposed(after: drawn) }) { rests = false }
      _ = try view.drawing()
      if isKnown { rest = ComposedRest(of: view) }
    }
    if !hasBeenComposed { try await clock.hold { try await waitForCompositor() } }
    let picture = try view.drawing()
    composedRest = rests ? ComposedRest(of: view) : nil
    return picture
  }

  /// On a busy machine the compositor draws a page's first frame late, and has nothing to show until then.
  private func waitForCompositor() async throws {
    let patience = ContinuousClock.now + .seconds(2)
    while try view.drawing().isUniform, ContinuousClock.now < patience {
      try await Task.sleep(for: .milliseconds(10))
    }
    hasBeenComposed = true
  }

  /// Has films show the pictures of this instant, in all frames that can be reached, and waits for them.
  private func showFilms(_ clock: RenderClock) async {
    let script = """
      const tell = (target) => {
        EventTarget.prototype.dispatchEvent.call(target, new Event(filmsEvent));
        for (let i = 0; i < target.length; i += 1) {
          try { tell(target[i]); } catch { /* another origin's */ }
        }
      };
      tell(window);
      """
    await clock.hold {
      _ = try? await view.call(script, ["filmsEvent": filmsEvent ?? ""])
      let patience = ContinuousClock.now + Rest.ownPatience
      while films.areAwaited, ContinuousClock.now < patience {
        guard (try? await Task.sleep(for: .milliseconds(1))) != nil else { return }
      }
    }
    guard films.count > 0 else { return }
    films.giveUp()
    clock.note(.films)
  }

  /// Waits for the compositor, which lives in the machine's time, to hand something over; false when nothing moved.
  private func isComposed(after drawn: Int) async -> Bool {
    let patience = ContinuousClock.now + (drawn == 0 ? .seconds(5) : .milliseconds(250))
    while view.drawings == drawn {
      guard ContinuousClock.now < patience, (try? await Task.sleep(for: .milliseconds(1))) != nil else { return false }
    }
    return true
  }
}

/// What has to change before a page looks otherwise in stepped time: a frame passes, or its compositor hands one over.
@WebKitActor struct ComposedRest: Equatable {
  private let drawings: Int
  private let frames: Int

  init(of view: WebView) { (drawings, frames) = (view.drawings, FrameGate.passed) }
}
