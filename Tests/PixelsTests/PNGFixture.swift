@testable import Pixels

/// Builds PNG files of any header and contents, broken ones included, with stored instead of compressed data.
struct PNGFixture {
  var width: Int
  var height: Int
  var depth: UInt8 = 8
  /// 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA.
  var colorType: UInt8
  var isInterlaced = false
  var palette: [UInt8] = []
  var transparency: [UInt8] = []
  /// Rows with their filter bytes.
  var scanlines: [UInt8]

  var bytes: [UInt8] {
    let header = big(width) + big(height) + [depth, colorType, 0, 0, isInterlaced ? 1 : 0]
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
    if !palette.isEmpty { file += chunk("PLTE", palette) }
    if !transparency.isEmpty { file += chunk("tRNS", transparency) }
    return file + chunk("IDAT", stored) + chunk("IEND", [])
  }

  /// A zlib stream of one stored block.
  private var stored: [UInt8] {
    let size = UInt16(scanlines.count)
    let little = [UInt8(size & 255), UInt8(size >> 8)]
    return [0x78, 0x01, 0x01] + little + little.map { ~$0 } + scanlines + big(adler)
  }

  private var adler: Int {
    var (a, b) = (1, 0)
    for byte in scanlines { (a, b) = ((a + Int(byte)) % 65521, (b + a + Int(byte)) % 65521) }
    return b << 16 | a
  }

  private func chunk(_ type: String, _ contents: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + contents
    return big(contents.count) + checked + big(Int(Self.crc(checked)))
  }

  private func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

  static func crc(_ bytes: [UInt8]) -> UInt32 {
    let polynomial: UInt32 = 0xEDB8_8320
    return ~bytes.reduce(UInt32.max) { (sum: UInt32, byte: UInt8) -> UInt32 in
      var value = sum ^ UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ polynomial : value >> 1 }
      return value
    }
  }
}
