internal import MRAID
package import Pixels

/// An image of the ad alone in its final state, for places in which the ad itself can't be shown.
package struct BackupRequest: Hashable, Sendable, Codable {
  /// Range of maximum file sizes that can be requested, in bytes.
  package static let sizes = 1_000...10_000_000
  /// Range of pixels per dip.
  package static let scales = 1...2

  package var format: StillFormat
  /// Maximum size in bytes; nil for a usual quality.
  package var maxBytes: Int?
  package var scale: Int

  package init(format: StillFormat, maxBytes: Int? = nil, scale: Int = 1) {
    (self.format, self.maxBytes, self.scale) = (format, maxBytes, scale)
  }

  /// Name of the file in a result's folder.
  package var fileName: String { Self.fileName(format) }

  package static func fileName(_ format: StillFormat) -> String { "backup.\(format.ending)" }
}

extension RenderRecord.Screenshot {
  /// Path in the result's folder of the image of the ad alone, if there is one.
  package var pathOfAd: String { path.hasSuffix(".png") ? path.dropLast(4) + "-ad.png" : path + "-ad" }
}

extension RenderRecord {
  /// The final image of the ad: the last screenshot of its default state, else the last of all.
  package var endPicture: Screenshot? { screenshots.last { $0.state == .default } ?? screenshots.last }
}
