internal import Core
internal import Files
internal import Glibc
internal import Pixels

/// Encodes a picture in the best quality that fits in a number of bytes.
struct StillEncoder {
  let format: StillFormat
  /// Maximum number of bytes; nil for the usual quality.
  let limit: Int?

  /// Qualities that are tried for a limit; below the lowest, the text of an ad is unreadable.
  private static let qualities = 10...100
  /// Quality without a limit, and the one below which JPEG halves its colour resolution, which coloured text needs.
  private static let (usual, fineColours) = (90, 60)

  /// Encodes a picture; returns its bytes and the quality used, nil for PNG.
  func encode(_ picture: Bitmap) throws(Fault) -> (bytes: [UInt8], quality: Int?) {
    switch format {
    case .png:
      let bytes = try Self.lossless(picture)
      guard bytes.count <= limit ?? .max else {
        throw tooLarge("its PNG has \(bytes.count) bytes, and PNG has no lower quality: use jpeg or webp")
      }
      return (bytes, nil)
    case .jpeg:
      let encoder = try JPEGEncoder(picture)
      return try best { quality throws(Fault) in try encoder.bytes(quality, finely: quality >= Self.fineColours) }
    case .webp: return try best { quality throws(Fault) in try WebPEncoder.still(picture, quality: quality) }
    }
  }

  /// Finds the best quality whose bytes fit, by binary search.
  private func best(_ encode: (Int) throws(Fault) -> [UInt8]) throws(Fault) -> (bytes: [UInt8], quality: Int?) {
    guard let limit else { return (try encode(Self.usual), Self.usual) }
    var (low, high) = (Self.qualities.lowerBound, Self.qualities.upperBound)
    var found = (bytes: try encode(low), quality: low)
    guard found.bytes.count <= limit else {
      throw tooLarge("at the lowest quality, \(low), it has \(found.bytes.count) bytes")
    }
    while low < high {
      let middle = (low + high + 1) / 2
      let bytes = try encode(middle)
      if bytes.count <= limit {
        (low, found) = (middle, (bytes, middle))
      } else {
        high = middle - 1
      }
    }
    return found
  }

  private static func lossless(_ picture: Bitmap) throws(Fault) -> [UInt8] {
    do { return try PNGEncoder.encode(picture) } catch { throw .engine("still-failed", "can't encode a PNG: \(error)") }
  }

  private func tooLarge(_ reason: String) -> Fault {
    .creative("still-too-large", "the image doesn't fit into \(limit ?? 0) bytes: \(reason)")
  }
}

/// Call of `galley-film still`: a whole picture in smaller size and in a format.
struct StillCall {
  private let format: StillFormat
  private let (source, file): (String, String)
  private let limit: Int?
  /// Pixels per dip of the picture, and of the output.
  private let (given, wanted): (Int, Int)

  /// Parses FORMAT PICTURE FILE LIMIT GIVEN WANTED; a limit of 0 means none.
  init(_ words: [String]) throws(Fault) {
    guard words.count == 6, let format = StillFormat(rawValue: words[0]), let limit = Int(words[3]), limit >= 0,
      let given = Int(words[4]), let wanted = Int(words[5]), (1...8).contains(given), (1...given).contains(wanted)
    else { throw FilmFailure.call }
    (self.format, source, file) = (format, words[1], words[2])
    (self.limit, self.given, self.wanted) = (limit == 0 ? nil : limit, given, wanted)
  }

  func run() throws(Fault) {
    var picture = try Pictures.read(source)
    picture = picture.resampled(width: side(picture.width), height: side(picture.height))
    // What is behind an ad is white, and only PNG's readers all let it through.
    if format != .png, !picture.isOpaque { picture = picture.onWhite }
    let (bytes, quality) = try StillEncoder(format: format, limit: limit).encode(picture)
    try FilmFile.write(file) { sink throws(Fault) in try sink(bytes) }
    let written = WrittenStill(bytes: bytes.count, width: picture.width, height: picture.height, quality: quality)
    do throws(SystemError) {
      try FileWriting.writeAll(Array((JSONText.line(written) + "\n").utf8), to: STDOUT_FILENO)
    } catch {
      throw .engine("still-failed", "can't report the written image: \(error)")
    }
  }

  private func side(_ length: Int) -> Int { max(1, (length * wanted * 2 + given) / (given * 2)) }
}

/// Reads screenshots of renders.
enum Pictures {
  private static let largest = 256 << 20

  static func read(_ path: String) throws(Fault) -> Bitmap {
    let bytes: [UInt8]
    do throws(FileReadingError) {
      bytes = try FileReading.regular(path, most: largest)
    } catch {
      throw .engine("still-failed", "can't read \(path): \(error)")
    }
    do { return try PNGDecoder.decode(bytes) } catch {
      throw .engine("still-failed", "\(path) isn't a screenshot of a render: \(error)")
    }
  }
}

extension Bitmap {
  var onWhite: Bitmap {
    var page = Bitmap(width: width, height: height, fill: Color(red: 255, green: 255, blue: 255))
    page.blit(self, x: 0, y: 0)
    return page
  }
}
