internal import Pixels

/// Baselines are drawn once and fetched by everybody, so they are compressed as far as it goes.
enum PictureCompression {
  /// The same picture in fewer bytes; the file itself where nothing is gained.
  static func smaller(_ file: [UInt8]) -> [UInt8] {
    guard let other = PNGRecompression.recompress(file), other.count < file.count else { return file }
    return other
  }
}
