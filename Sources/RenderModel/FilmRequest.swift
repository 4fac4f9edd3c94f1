internal import Core

/// A film to be recorded of an ad from the moment it is shown, frame by frame in the ad's own time.
package struct FilmRequest: Hashable, Sendable, Codable {
  /// Content of the film.
  package enum View: String, Sendable, Codable, CaseIterable {
    /// The ad alone.
    case ad
    case screen
  }

  /// Frames per second; the clock of a creative has sixty.
  package enum Rate: Int, Sendable, Codable, CaseIterable {
    case half = 30
    case full = 60
  }

  /// Name of the file in a result's folder that holds the frames until they are encoded.
  package static let fileName = "film.reel"
  /// Range of a film's length in seconds.
  package static let lengths = 0.1...120.0

  package var rate: Rate
  /// Maximum length in seconds; a scenario may end sooner.
  package var length: Double
  package var view: View
  /// Pixels per dip; a divisor of the device's `renderScale`.
  package var scale: Int
  /// True to play the scenario during the film, at a pace that people can follow; false to leave the ad alone.
  package var playsScenario: Bool

  package init(rate: Rate = .half, length: Double = 15, view: View = .ad, scale: Int = 1, playsScenario: Bool = false) {
    (self.rate, self.length, self.view) = (rate, length, view)
    (self.scale, self.playsScenario) = (scale, playsScenario)
  }

  /// Maximum number of frames.
  package var frames: Int { Bounded.int(length * Double(rate.rawValue), in: 1...7_200) }

  /// Time of a frame, counted from 0, in microseconds since the film began.
  package func time(of frame: Int) -> Int64 { Int64(frame) * 1_000_000 / Int64(rate.rawValue) }
}
