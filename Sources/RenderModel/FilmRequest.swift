internal import Core

/// A film to be taken of an ad from when it is shown on, frame by frame in its own time.
package struct FilmRequest: Hashable, Sendable, Codable {
  /// What is to be seen on it.
  package enum View: String, Sendable, Codable, CaseIterable {
    /// The ad alone.
    case ad
    case screen
  }

  /// Frames a second; the clock of a creative has sixty.
  package enum Rate: Int, Sendable, Codable, CaseIterable {
    case half = 30
    case full = 60
  }

  /// The file in a result's folder that the frames are kept in until they are encoded.
  package static let fileName = "film.reel"
  /// Seconds that a film may last.
  package static let lengths = 0.1...120.0

  package var rate: Rate
  /// Seconds at the most; a scenario may be over sooner.
  package var length: Double
  package var view: View
  /// Pixels of a dip; no more than the device draws, and a whole part of that.
  package var scale: Int
  /// Whether the scenario is played meanwhile, at a pace that people can follow; else the ad is left alone.
  package var playsScenario: Bool

  package init(rate: Rate = .half, length: Double = 15, view: View = .ad, scale: Int = 1, playsScenario: Bool = false) {
    (self.rate, self.length, self.view) = (rate, length, view)
    (self.scale, self.playsScenario) = (scale, playsScenario)
  }

  /// How many frames it has at the most.
  package var frames: Int { Bounded.int(length * Double(rate.rawValue), in: 1...7_200) }

  /// When a frame is due, from 0, in microseconds since the film began.
  package func time(of frame: Int) -> Int64 { Int64(frame) * 1_000_000 / Int64(rate.rawValue) }
}
