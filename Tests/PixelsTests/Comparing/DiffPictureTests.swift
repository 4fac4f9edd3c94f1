import Testing

@testable import Pixels

@Suite struct DiffPictureTests {
  private let first = RasterSample(20, 10, fill: 0xFF00_0000).raster

  @Test func highlightFadesWhatIsTheSameAndPaintsWhatIsNot() async {
    let second = RasterSample(20, 10, fill: 0xFF00_0000).with(0xFFFF_FFFF, x: 4, y: 3, width: 5, height: 4).raster
    let difference = await ImageComparison.compare(first, second)
    let picture = DiffPicture.highlight(first, difference)
    // Black at a tenth on white is 229.5, cut off.
    #expect(picture[0, 0] == Color(rgb: 0xE5_E5E5))
    #expect(picture[4, 3] == Color(rgb: 0xFF_0000))
    #expect(picture.pixels.count { $0 == 0xFFFF_0000 } == 20)
  }

  @Test func highlightIsAsLargeAsBoth() async {
    let second = RasterSample(10, 20, fill: 0xFF00_0000).raster
    let picture = DiffPicture.highlight(first, await ImageComparison.compare(first, second))
    #expect(picture.bounds == PixelRect(x: 0, y: 0, width: 20, height: 20))
    #expect(picture[15, 15] == .white)
    #expect(picture[5, 15] == Color(rgb: 0xFF_0000))
    #expect(picture[15, 5] == Color(rgb: 0xFF_0000))
  }

  @Test func picturesStandSideBySide() throws {
    let red = Bitmap(width: 4, height: 2, fill: Color(rgb: 0xFF_0000))
    let picture = try DiffPicture.beside(red, Bitmap(width: 4, height: 3, fill: .white), red)
    #expect(picture.bounds == PixelRect(x: 0, y: 0, width: 44, height: 3))
    #expect(picture[3, 1] == Color(rgb: 0xFF_0000))
    #expect(picture[3, 2] == Color(rgb: 0x80_8080))
    #expect(picture[20, 2] == .white)
    #expect(picture[40, 0] == Color(rgb: 0xFF_0000))
  }

  @Test func blinkingIsAnAnimationWhoseFirstFrameEveryReaderSees() throws {
    let (small, large) = (Bitmap(width: 4, height: 2, fill: .black), Bitmap(width: 3, height: 5, fill: .white))
    let frames = try DiffPicture.blink(small, large)
    #expect(
      frames.map(\.bounds) == [PixelRect(x: 0, y: 0, width: 4, height: 5), PixelRect(x: 0, y: 0, width: 4, height: 5)])
    let file = try PNGAnimation.encode(frames, delay: 500)
    #expect(try PNGDecoder.decode(file) == frames[0])
    for chunk in ["acTL", "fcTL", "fdAT"] {
      #expect(file.indices.contains { file[$0...].starts(with: chunk.utf8) }, "\(chunk)")
    }
  }

  @Test func whatWouldBeTooLargeIsRefusedBeforeMemoryIsTaken() {
    let (tall, wide) = (Bitmap(width: 1, height: 60_000, fill: .white), Bitmap(width: 60_000, height: 1, fill: .white))
    #expect(throws: PNGError.self) { try DiffPicture.blink(tall, wide) }
    #expect(throws: PNGError.self) { try DiffPicture.beside(tall, tall, wide) }
  }
}
