internal import Core
internal import Engine
internal import Hosting
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// Wait for a page to come to rest: its fonts are loaded, its videos show a frame, and two frames are equal.
///
/// The network doesn't matter: ads poll, beacon and stream endlessly. The wait for a transition or animation that ends
/// lasts up to `longest`; for movement without one (canvas, video, GIF) up to `longestUnexplained`; endless animations
/// aren't waited for.
@EngineActor struct VisualStability {
  /// Limit of the wait for two equal frames.
  private nonisolated static let longest = Duration.milliseconds(1_000)
  /// Limit of that wait where no animation is known to end.
  private static let longestUnexplained = Duration.milliseconds(150)
  /// Number of frames that are compared before anything counts as moving, however long a busy machine takes for them.
  private static let fewestFrames = 5
  /// Limit of the wait for fonts.
  private static let longestForFonts = Duration.milliseconds(2_000)

  let page: AdPage
  let clock: RenderClock

  /// Result of the wait, and the last frame.
  struct Outcome {
    enum End: String {
      /// Two consecutive frames were equal.
      case stable
      /// An endless animation is running.
      case endlessAnimation
      /// A video plays, an animation takes longer than the limit, or the limit was reached.
      case unstable
    }
    var end: End
    var fonts: Bool
    var frames: Int
    var screenshot: Bitmap
    /// Characters that the page shows and that not every font has.
    var letters = ""
  }

  /// Movement on a page, endless or with a maximum duration.
  struct Motion: Decodable {
    var endless: Bool
    /// Milliseconds until the last finite animation has ended; 0 for none.
    var left: Double
    /// Total milliseconds of the longest finite animation.
    private var whole: Double
    /// Indicates that a video plays, or is about to play by itself.
    private var film: Bool
    /// Indicates that any animation is running or waits for the end of its delay.
    private var runs: Bool
    /// Indicates that scripts wait for a timer that isn't a poll's.
    private var timers: Bool

    /// Indicates that something is in progress that screenshots show or may show.
    var isThere: Bool { runs || film || timers }

    /// Indicates that the page can't come to rest in time, even if two frames are equal by chance.
    ///
    /// An animation whose whole duration is only a little above the limit is waited for; otherwise the result would
    /// depend on the part of it that is over at the first look.
    var isLong: Bool {
      let longest = VisualStability.longest / .milliseconds(1)
      return film || (left > longest && whole > longest * 1.5)
    }
  }

  /// Readiness of the content that the page shows first.
  private struct Readiness: Decodable {
    var fonts: Bool
    var films: Bool
    var letters: String
  }

  func settle() async throws -> Outcome {
    let ready = try await fontsAndVideos()
    var outcome = try await rest(ready.fonts)
    outcome.letters = ready.letters
    return outcome
  }

  private func rest(_ fonts: Bool) async throws -> Outcome {
    let motion = try await motion()
    var previous = try await page.screenshot(clock)
    guard !motion.endless else { return Outcome(end: .endlessAnimation, fonts: fonts, frames: 1, screenshot: previous) }
    guard !motion.isLong else {
      await clock.sleep(for: min(Bounded.milliseconds(motion.left), Self.longest))
      let screenshot = motion.left > 0 ? try await page.screenshot(clock) : previous
      return Outcome(end: .unstable, fonts: fonts, frames: 1, screenshot: screenshot)
    }
    let bound = motion.left > 0 ? max(Self.longest, Bounded.milliseconds(motion.left)) : Self.longestUnexplained
    let deadline = clock.now + bound
    // What will end needn't be looked at on the way, where it may well stand still for a while.
    if motion.left > 0 {
      await clock.sleep(for: Bounded.milliseconds(motion.left))
      previous = try await page.screenshot(clock)
    }
    var frames = 1
    while true {
      frames += 1
      try await clock.nextFrame(of: page.view)
      let screenshot = try await page.screenshot(clock)
      let isOver = clock.now >= deadline && frames >= Self.fewestFrames
      let end: Outcome.End? = screenshot == previous ? .stable : isOver ? .unstable : nil
      if let end { return Outcome(end: end, fonts: fonts, frames: frames, screenshot: screenshot) }
      previous = screenshot
    }
  }

  /// Movement on the page at this moment, as far as its document reveals it.
  func motion() async throws -> Motion { try await ask(Self.askMotion) }

  /// Waits for fonts and the videos' first frames, 2 seconds at most; returns the state reached.
  private func fontsAndVideos() async throws -> Readiness {
    let begin = clock.now
    while true {
      let ready: Readiness = try await ask(Self.askReadiness)
      if ready.fonts && ready.films || clock.now - begin >= Self.longestForFonts { return ready }
      await clock.sleep(for: .milliseconds(20))
    }
  }

  private func ask<Answer: Decodable>(_ script: String) async throws -> Answer {
    let answer = try await page.view.call(
      script, ["filmsEvent": page.videosEvent ?? "", "timersEvent": page.timersEvent])
    guard let decoded = PageAnswer.decode(Answer.self, from: answer) else {
      throw Fault.engine("page-answer-invalid", "can't read the page's answer: \(answer.prefix(200))")
    }
    return decoded
  }

  private static let askReadiness = """
    \(LetterProbe.list)
    // An element's name may stand in the way of any of the document's own members.
    const films = [...Document.prototype.querySelectorAll.call(document, "video")]
      .filter((film) => film.autoplay || film.currentSrc);
    // Nothing is to come of one without a source that can be played.
    const fails = (film) => film.error || film.networkState === HTMLMediaElement.NETWORK_NO_SOURCE;
    const shows = (film) => film.readyState >= 2 || fails(film) || film.preload === "none" && film.paused;
    const fonts = Object.getOwnPropertyDescriptor(Document.prototype, "fonts").get.call(document);
    return { fonts: fonts.status === "loaded", films: films.every(shows), letters: [...letters(window)].join("") };
    """

  private static let askMotion = """
    const running = Document.prototype.getAnimations.call(document).filter((animation) => animation.playState === "running")
      .map((animation) => [animation.effect?.getComputedTiming().endTime ?? 0, animation.currentTime ?? 0]);
    const left = running.map(([end, now]) => end - now);
    const runs = (film) => !EventTarget.prototype.dispatchEvent.call(film, new Event(filmsEvent, { cancelable: true }));
    const plays = filmsEvent ? runs : (film) => !film.ended && (!film.paused || film.autoplay && film.played.length === 0 && !film.error);
    return {
      runs: running.length > 0,
      timers: !EventTarget.prototype.dispatchEvent.call(window, new Event(timersEvent, { cancelable: true })),
      endless: left.includes(Infinity),
      left: Math.max(0, ...left.filter(Number.isFinite)),
      whole: Math.max(0, ...running.map(([end]) => end).filter(Number.isFinite)),
      film: [...Document.prototype.querySelectorAll.call(document, "video")].some(plays),
    };
    """
}

extension AdPage {
  /// Image of the page at this moment, in physical pixels.
  func screenshot(_ clock: RenderClock) async throws -> Bitmap {
    await clock.catchUp()
    if clock.isVirtual, films.haveBeenSeen { await showVideos(clock) }
    guard view.isComposited, view.isVisible else { return try await view.snapshot() }
    guard !clock.isVirtual else { return try await clock.composed(view) }
    // What is drawn in one frame is handed over before the next begins, and that waits for the one before.
    for _ in 0..<2 {
      try await clock.nextFrame(of: view)
      _ = try view.drawing()
    }
    if !hasBeenComposed { try await waitForCompositor() }
    return try view.drawing()
  }

  /// Waits for the first frame of the compositor, which a busy machine draws late; 2 seconds at most.
  private func waitForCompositor() async throws {
    let patience = ContinuousClock.now + .seconds(2)
    while try view.drawing().isUniform, ContinuousClock.now < patience {
      try await Task.sleep(for: .milliseconds(10))
    }
    hasBeenComposed = true
  }

  /// Makes videos show their frames of this instant, in all frames that can be reached, and waits for them.
  private func showVideos(_ clock: RenderClock) async {
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
      _ = try? await view.call(script, ["filmsEvent": videosEvent ?? ""])
      let patience = ContinuousClock.now + Rest.ownPatience
      while films.areAwaited, ContinuousClock.now < patience {
        guard (try? await Task.sleep(for: .milliseconds(1))) != nil else { return }
      }
    }
    guard films.count > 0 else { return }
    films.giveUp()
    clock.noteNondeterminism(.videos)
  }
}
