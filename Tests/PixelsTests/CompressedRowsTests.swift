import Testing

@testable import Pixels

@Suite struct CompressedRowsTests {
  /// An opaque picture of flat areas, repeats, gradients and noise.
  private static func picture(_ width: Int, _ height: Int, _ numbers: inout SeededNumbers) -> Bitmap {
    var bitmap = Bitmap(width: width, height: height, fill: .white)
    for _ in 0..<Int.random(in: 0...6, using: &numbers) {
      let (x, y) = (Int.random(in: 0..<width, using: &numbers), Int.random(in: 0..<height, using: &numbers))
      let area = PixelRect(
        x: x, y: y, width: .random(in: 1...width, using: &numbers), height: .random(in: 1...height, using: &numbers))
      let kind = Int.random(in: 0..<3, using: &numbers)
      let color = UInt32(truncatingIfNeeded: numbers.next())
      bitmap.withRows(of: bitmap.bounds.intersection(area) ?? area) { row, y in
        for column in 0..<min(area.width, width - x) {
          let value =
            switch kind {
            case 0: color
            case 1: UInt32(column / 3 + y) &* 0x01_0101
            default: UInt32(truncatingIfNeeded: numbers.next())
            }
          row[column] = 0xFF00_0000 | value
        }
      }
    }
    return bitmap
  }

  private static func rows(_ bitmap: Bitmap, _ range: Range<Int>) throws -> CompressedRows {
    try CompressedRows(bitmap.crop(PixelRect(x: 0, y: range.lowerBound, width: bitmap.width, height: range.count)))
  }

  @Test(arguments: [(1, 1), (1, 90), (90, 1), (2, 3), (171, 70), (172, 200), (390, 300), (700, 120)])
  func pictureIsTheSameWhereverItIsCut(_ width: Int, _ height: Int) throws {
    var numbers = SeededNumbers(seed: UInt64(width * 1_000 + height))
    for _ in 0..<30 {
      let bitmap = Self.picture(width, height, &numbers)
      let inside = [Int.random(in: 0...height, using: &numbers), .random(in: 0...height, using: &numbers)]
      let cuts = ([0, height] + inside).sorted()
      let parts = try zip(cuts, cuts.dropFirst()).map { try Self.rows(bitmap, $0..<$1) }
      let file = try PNGEncoder.encode(parts)
      #expect(try PNGDecoder.decode(file) == bitmap)
      // The whole picture's own encoding, too, has repeats in it.
      #expect(try PNGDecoder.decode(PNGEncoder.encode(bitmap)) == bitmap)
    }
  }

  @Test func partsServeSeveralPictures() throws {
    var numbers = SeededNumbers(seed: 3)
    let (first, second) = (Self.picture(300, 240, &numbers), Self.picture(300, 240, &numbers))
    let (above, below) = (try Self.rows(first, 0..<80), try Self.rows(first, 130..<240))
    // The rows that were between them, those of another picture, and none.
    func part(_ bitmap: Bitmap, _ rows: Range<Int>) -> Bitmap {
      bitmap.crop(PixelRect(x: 0, y: rows.lowerBound, width: 300, height: rows.count))
    }
    for rows in [part(first, 80..<130), second] {
      let picture = try PNGDecoder.decode(PNGEncoder.encode([above, CompressedRows(rows), below]))
      let end = 80 + rows.height
      #expect(picture.height == end + 110)
      #expect(part(picture, 0..<80) == part(first, 0..<80))
      #expect(part(picture, 80..<end) == rows)
      #expect(part(picture, end..<end + 110) == part(first, 130..<240))
    }
    let short = try PNGDecoder.decode(PNGEncoder.encode([above, Self.rows(second, 5..<5), below]))
    #expect(short.height == 190)
  }

  @Test func cutFilesAreATenthLargerAtMost() throws {
    var numbers = SeededNumbers(seed: 4)
    var (whole, cut) = (0, 0)
    for _ in 0..<20 {
      let bitmap = Self.picture(390, 844, &numbers)
      whole += try PNGEncoder.encode(bitmap).count
      cut += try PNGEncoder.encode([0..<397, 397..<447, 447..<844].map { try Self.rows(bitmap, $0) }).count
    }
    #expect(cut * 10 <= whole * 11)
  }

  @Test func nothingMakesNoPicture() throws {
    let none = try CompressedRows(Bitmap(width: 0, height: 0, pixels: []))
    #expect(throws: PNGError.empty) { try PNGEncoder.encode([none]) }
    #expect(throws: PNGError.empty) { try PNGEncoder.encode([CompressedRows]()) }
  }

  @Test func tooManyRowsAreRefused() throws {
    let rows = try CompressedRows(Bitmap(width: 20_000, height: 100, fill: .white))
    #expect(throws: PNGError.self) { try PNGEncoder.encode([CompressedRows](repeating: rows, count: 51)) }
  }
}
