internal import Core

/// Pictures of an ad at instants since it was shown, each of what is there then, whether or not it moves.
package struct CaptureSchedule: Hashable, Sendable, Codable {
  /// Frames at even distances, for one picture that shows them all and one that moves.
  package struct Filmstrip: Hashable, Sendable, Codable {
    /// Seconds from one frame to the next.
    package var interval: Double
    /// Seconds from the first to the last.
    package var length: Double

    /// The most frames of a strip.
    package static let mostFrames = 240

    package init(interval: Double, length: Double) {
      self.interval = interval
      self.length = length
    }

    /// When each frame is due, in seconds since the ad was shown.
    package var instants: [Double] {
      let count = Bounded.int(length / interval + 1e-9, in: 0...Self.mostFrames - 1, rounding: .down) + 1
      return (0..<count).map { Double($0) * interval }
    }
  }
  /// Something to take at one instant.
  package struct Moment: Hashable, Sendable {
    /// Since the ad was shown.
    package var seconds: Double
    package var isPicture: Bool
    package var isFrame: Bool
  }

  /// Seconds since the ad was shown, rising, each once.
  package var instants: [Double]
  package var filmstrip: Filmstrip?

  /// The most instants of a render.
  package static let mostTimestamps = 50

  /// Sorts the instants.
  package init(instants: [Double] = [], filmstrip: Filmstrip? = nil) {
    self.instants = Set(instants).sorted()
    self.filmstrip = filmstrip
  }

  package var isEmpty: Bool { instants.isEmpty && filmstrip == nil }

  /// Pictures and frames in the order in which they are due.
  package var moments: [Moment] {
    let (screenshots, frames) = (Set(instants), Set(filmstrip?.instants ?? []))
    return screenshots.union(frames).sorted().map {
      Moment(seconds: $0, isPicture: screenshots.contains($0), isFrame: frames.contains($0))
    }
  }

  /// Seconds since the ad was shown after which nothing is taken; 0 when nothing is.
  package var end: Double { max(instants.last ?? 0, filmstrip?.instants.last ?? 0) }
}
