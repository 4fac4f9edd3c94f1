import Testing

@testable import Pixels

@Suite struct ScanlinesTests {
  private func bytes(_ scanlines: borrowing Scanlines) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: scanlines.bytes, count: scanlines.count))
  }

  @Test func flatRowsStayAndRepeatedRowsBecomeZeros() {
    let bitmap = Bitmap(
      width: 2, height: 3, pixels: [0xFF01_0203, 0xFF01_0203, 0xFF01_0203, 0xFF01_0203, 0xFF09_0909, 0xFF09_0909])
    let scanlines = Scanlines(bitmap, channels: 3)
    #expect(
      bytes(scanlines) == [0, 1, 2, 3, 1, 2, 3, 2, 0, 0, 0, 0, 0, 0, 0, 9, 9, 9, 9, 9, 9])
    #expect(scanlines.busyShare == 0)
  }

  @Test func busyRowsBecomeDifferencesThatWrapAround() {
    let bitmap = Bitmap(
      width: 3, height: 2, pixels: [0xFF00_0000, 0xFF80_FF01, 0xFFFF_0000, 0xFF01_0203, 0xFF7F_0002, 0xFF00_0100])
    let scanlines = Scanlines(bitmap, channels: 3)
    #expect(bytes(scanlines).suffix(10) == [2, 1, 2, 3, 255, 1, 1, 1, 1, 0])
    // Two of six pixels: the first column isn't compared.
    #expect(scanlines.busyShare == 2.0 / 6)
  }

  @Test func alphaIsStraight() {
    let bitmap = Bitmap(width: 2, height: 1, pixels: [0x8040_2000, 0x0000_0000])
    let scanlines = Scanlines(bitmap, channels: 4)
    #expect(bytes(scanlines) == [0, 128, 64, 0, 128, 0, 0, 0, 0])
  }
}
