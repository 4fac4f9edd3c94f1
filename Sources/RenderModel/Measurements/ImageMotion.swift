/// An animated image that the ad loaded, described by the data in its file.
package struct ImageMotion: Hashable, Sendable, Codable {
  /// Address of the image; only the type for an image embedded in the ad.
  package var url: String
  package var frames: Int
  /// Number of loops; nil for an endless animation.
  package var plays: Int?
  /// Duration of one loop in milliseconds.
  package var loop: Double

  package init(url: String, frames: Int, plays: Int?, loop: Double) {
    (self.url, self.frames, self.plays, self.loop) = (url, frames, plays, loop)
  }

  /// Milliseconds until the animation ends; nil for an endless one.
  package var length: Double? { plays.map { Double($0) * loop } }
}
