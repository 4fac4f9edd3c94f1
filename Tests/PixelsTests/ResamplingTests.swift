import Pixels
import Testing

@Suite struct ResamplingTests {
  @Test func `each pixel is the mean of the area that it stands for`() {
    let row = Bitmap(width: 3, height: 1, pixels: [0xFF00_0000, 0xFF90_6030, 0xFFFF_FFFF])
    let two = row.resampled(width: 2, height: 1)
    // A whole pixel and half of the next.
    #expect(two.pixels == [0xFF30_2010, 0xFFDA_CABA])
    #expect(row.resampled(width: 3, height: 1) == row)
    #expect(row.resampled(width: 1, height: 1).pixels == [0xFF85_7565])
  }

  @Test(arguments: [(9, 6), (301, 100), (1_179, 393)]) func `one colour stays as it is`(from: Int, to: Int) {
    let picture = Bitmap(width: from, height: 5, fill: Color(red: 12, green: 200, blue: 255))
    let small = picture.resampled(width: to, height: 2)
    #expect(small == Bitmap(width: to, height: 2, fill: Color(red: 12, green: 200, blue: 255)))
  }
}
