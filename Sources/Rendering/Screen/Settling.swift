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

  func settle() async throws -> Outcome {
    let start = try await begin()
    var previous = try await page.view.snapshot()
    var frames = 1
    guard !start.animating else { return Outcome(end: .animating, fonts: start.fonts, frames: 1, picture: previous) }
    let deadline = ContinuousClock.now + (start.ending ? Self.longest : Self.longestUnexplained)
    while true {
      try await nextFrame()
      let picture = try await page.view.snapshot()
      frames += 1
      if picture == previous { return Outcome(end: .still, fonts: start.fonts, frames: frames, picture: picture) }
      previous = picture
      if ContinuousClock.now >= deadline {
        return Outcome(end: .moving, fonts: start.fonts, frames: frames, picture: picture)
      }
    }
  }

  /// Waits for fonts and films, and asks what moves and whether that will end.
  private func begin() async throws -> (fonts: Bool, animating: Bool, ending: Bool) {
    let script = """
      const fonts = await Promise.race([
        document.fonts.ready.then(() => true),
        new Promise((done) => setTimeout(done, Number(longest), false)),
      ]);
      const films = [...document.querySelectorAll("video")].filter((film) => film.autoplay || film.currentSrc);
      const shows = (film) => film.readyState >= 2 || film.error || film.preload === "none" && film.paused;
      const until = performance.now() + Number(longest);
      while (!films.every(shows) && performance.now() < until) await new Promise((done) => setTimeout(done, 20));
      const ends = document.getAnimations().filter((animation) => animation.playState === "running")
        .map((animation) => animation.effect?.getComputedTiming().endTime ?? 0);
      return { fonts, endless: ends.includes(Infinity), ending: ends.some(Number.isFinite) };
      """
    let longest = String(Int(Self.longestForFonts / .milliseconds(1)))
    let answer = try await page.view.call(script, ["longest": longest])
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(answer.utf8))
    return (value["fonts"]?.bool ?? false, value["endless"]?.bool ?? false, value["ending"]?.bool ?? false)
  }

  private func nextFrame() async throws {
    _ = try await page.view.call("await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
  }
}
