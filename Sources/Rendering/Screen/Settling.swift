internal import Foundation
internal import MRAID
internal import Pixels
internal import WebKitRuntime

/// When a page has come to rest: its fonts are there, its videos show something, and two frames are alike.
///
/// The network isn't asked: ads poll, beacon and stream for ever. A transition or animation that ends is waited for, up to
/// `longest`; what moves without one (canvas, video, GIF) for `longestUnexplained`; an animation that never ends not at
/// all.
@WebKitActor struct Settling {
  /// The bound on waiting for two like frames.
  static let longest = Duration.milliseconds(1_000)
  /// The same where no animation says that it will end.
  static let longestUnexplained = Duration.milliseconds(150)
  /// The bound on waiting for fonts.
  static let longestForFonts = Duration.milliseconds(2_000)

  let page: AdPage
  let clock: RenderClock

  /// How it ended, and the last frame.
  struct Outcome {
    enum End: String {
      /// Two frames in a row were alike.
      case still
      /// An endless animation runs.
      case animating
      /// The bound was reached.
      case moving
    }
    var end: End
    var fonts: Bool
    var frames: Int
    var picture: Bitmap
  }

  /// What moves on the page: without an end, or for so long at most.
  private struct Motion: Decodable {
    var endless: Bool
    /// Milliseconds until the last animation that ends has ended; 0 for none.
    var left: Double
  }

  /// Whether what the page shows first is there.
  private struct Readiness: Decodable {
    var fonts: Bool
    var films: Bool
  }

  func settle() async throws -> Outcome {
    let fonts = try await fontsAndFilms()
    var motion: Motion = try await ask(Self.askMotion)
    var previous = try await page.view.snapshot()
    guard !motion.endless else { return Outcome(end: .animating, fonts: fonts, frames: 1, picture: previous) }
    let deadline = clock.now + (motion.left > 0 ? Self.longest : Self.longestUnexplained)
    var frames = 1
    while true {
      frames += 1
      try await clock.nextFrame(of: page.view)
      let picture = try await page.view.snapshot()
      let end: Outcome.End? = picture == previous ? .still : clock.now >= deadline ? .moving : nil
      if let end { return Outcome(end: end, fonts: fonts, frames: frames, picture: picture) }
      previous = picture
      // What will end needn't be looked at on the way.
      await clock.sleep(for: max(.zero, min(.milliseconds(motion.left), deadline - clock.now)))
      motion.left = 0
    }
  }

  /// Waits for fonts and the films' first frames; whether the fonts came.
  private func fontsAndFilms() async throws -> Bool {
    let begin = clock.now
    while true {
      let ready: Readiness = try await ask(Self.askReadiness)
      if ready.fonts && ready.films || clock.now - begin >= Self.longestForFonts { return ready.fonts }
      await clock.sleep(for: .milliseconds(20))
    }
  }

  private func ask<Answer: Decodable>(_ script: String) async throws -> Answer {
    try JSONDecoder().decode(Answer.self, from: Data(try await page.view.call(script).utf8))
  }

  private static let askReadiness = """
    // An element's name may stand in the way of any of the document's own members.
    const films = [...Document.prototype.querySelectorAll.call(document, "video")]
      .filter((film) => film.autoplay || film.currentSrc);
    const shows = (film) => film.readyState >= 2 || film.error || film.preload === "none" && film.paused;
    const fonts = Object.getOwnPropertyDescriptor(Document.prototype, "fonts").get.call(document);
    return { fonts: fonts.status === "loaded", films: films.every(shows) };
    """

  private static let askMotion = """
    const left = Document.prototype.getAnimations.call(document).filter((animation) => animation.playState === "running")
      .map((animation) => (animation.effect?.getComputedTiming().endTime ?? 0) - (animation.currentTime ?? 0));
    return { endless: left.includes(Infinity), left: Math.max(0, ...left.filter(Number.isFinite)) };
    """
}
