internal import MRAID
package import Pixels

/// A picture of the ad alone as it is at its end, for where the ad itself can't be shown.
package struct BackupRequest: Hashable, Sendable, Codable {
  /// Bytes that the file may have to be asked for.
  package static let sizes = 1_000...10_000_000
  /// Pixels of a dip.
  package static let scales = 1...2

  package var format: StillFormat
  /// The most bytes; nil for a usual quality.
  package var maxBytes: Int?
  package var scale: Int

  package init(format: StillFormat, maxBytes: Int? = nil, scale: Int = 1) {
    (self.format, self.maxBytes, self.scale) = (format, maxBytes, scale)
  }

  /// Its name in a result's folder.
  package var fileName: String { Self.fileName(format) }

  package static func fileName(_ format: StillFormat) -> String { "backup.\(format.ending)" }
}

extension RenderRecord.Screenshot {
  /// Where the ad alone is in the result's folder, if there is one.
  package var pathOfAd: String { path.hasSuffix(".png") ? path.dropLast(4) + "-ad.png" : path + "-ad" }
}

extension RenderRecord {
  /// The picture that an ad stands still with: the last that was taken of its default state, else the last.
  package var endPicture: Screenshot? { screenshots.last { $0.state == .default } ?? screenshots.last }
}
