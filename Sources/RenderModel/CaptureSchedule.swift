internal import Core

/// Screenshots of an ad at instants since it was shown, each of the state at that instant, moving or not.
package struct CaptureSchedule: Hashable, Sendable, Codable {
  /// Frames at regular intervals, for an image that shows them all and an animated one.
  package struct Filmstrip: Hashable, Sendable, Codable {
    /// Seconds between two frames.
    package var interval: Double
    /// Seconds from the first frame to the last.
    package var length: Double

    /// Maximum number of frames in a strip.
    package static let mostFrames = 240

    package init(interval: Double, length: Double) {
      self.interval = interval
      self.length = length
    }

    /// Times of the frames, in seconds since the ad was shown.
    package var instants: [Double] {
      let count = Bounded.int(length / interval + 1e-9, in: 0...Self.mostFrames - 1, rounding: .down) + 1
      return (0..<count).map { Double($0) * interval }
    }
  }
  /// A capture at one instant: a screenshot, a frame of the filmstrip, or both.
  package struct Moment: Hashable, Sendable {
    /// Seconds since the ad was shown.
    package var seconds: Double
    package var isPicture: Bool
    package var isFrame: Bool
  }

  /// Times of the screenshots in seconds since the ad was shown, ascending and without duplicates.
  package var instants: [Double]
  package var filmstrip: Filmstrip?

  /// Maximum number of instants in a render.
  package static let mostTimestamps = 50

  /// Sorts the instants and removes duplicates.
  package init(instants: [Double] = [], filmstrip: Filmstrip? = nil) {
    self.instants = Set(instants).sorted()
    self.filmstrip = filmstrip
  }

  package var isEmpty: Bool { instants.isEmpty && filmstrip == nil }

  /// Screenshots and frames in the order of their times.
  package var moments: [Moment] {
    let (screenshots, frames) = (Set(instants), Set(filmstrip?.instants ?? []))
    return screenshots.union(frames).sorted().map {
      Moment(seconds: $0, isPicture: screenshots.contains($0), isFrame: frames.contains($0))
    }
  }

  /// Time of the last capture, in seconds since the ad was shown; 0 if there is none.
  package var end: Double { max(instants.last ?? 0, filmstrip?.instants.last ?? 0) }
}
