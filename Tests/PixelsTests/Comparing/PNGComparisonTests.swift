import Testing

@testable import Pixels

@Suite struct PNGComparisonTests {
  private let page = Bitmap(width: 40, height: 30, fill: .white)

  @Test func equalFilesAreTheSameWithoutBeingDecoded() async throws {
    var file = try PNGEncoder.encode(page)
    let size = PixelSize(width: 40, height: 30)
    #expect(PNGComparison.commonSize(file, file) == size)
    #expect(try await PNGComparison.compare(file, file).size == size)
    // A broken stream in a chunk that is whole shows that nobody looked into it.
    file = PNGFixture(width: 2, height: 2, colorType: 2, scanlines: [9, 9, 9]).bytes
    #expect(try await PNGComparison.compare(file, file).differingCount == 0)
  }

  @Test func filesThatDifferInATextOnlyAreTheSameWithoutBeingDecoded() throws {
    let file = try PNGEncoder.encode(page)
    let text: [UInt8] = [0, 0, 0, 3] + Array("tEXta".utf8) + [0, 98, 1, 2, 3, 4]
    let other = file[..<33] + text + file[33...]
    #expect(PNGComparison.commonSize(file, Array(other)) == PixelSize(width: 40, height: 30))
  }

  @Test func equalBrokenFilesAreStillAnError() async throws {
    let file = try Array(PNGEncoder.encode(page).dropLast(20))
    #expect(PNGComparison.commonSize(file, file) == nil)
    await #expect(throws: PNGError.self) { try await PNGComparison.compare(file, file) }
  }

  @Test func otherEncodingsOfThePixelsAreTheSame() async throws {
    let rows = [UInt8](repeating: 0, count: 1) + [UInt8](repeating: 255, count: 6)
    let rgb = PNGFixture(width: 2, height: 2, colorType: 2, scanlines: rows + rows)
    let grey = PNGFixture(width: 2, height: 2, depth: 1, colorType: 0, scanlines: [0, 0xFF, 0, 0xFF])
    let palette = PNGFixture(
      width: 2, height: 2, depth: 8, colorType: 3, palette: [255, 255, 255], scanlines: [0, 0, 0, 0, 0, 0])
    let deep = PNGFixture(
      width: 2, height: 2, depth: 16, colorType: 0, scanlines: [0, 255, 255, 255, 255, 0, 255, 255, 255, 255])
    for other in [grey, palette, deep] {
      #expect(try await PNGComparison.compare(rgb.bytes, other.bytes).differingCount == 0)
    }
  }

  @Test func changesAreFoundBetweenFiles() async throws {
    var changed = page
    changed.fill(PixelRect(x: 3, y: 4, width: 10, height: 2), .black)
    let found = try await PNGComparison.compare(PNGEncoder.encode(page), PNGEncoder.encode(changed))
    #expect(found.differingCount == 20)
    #expect(found.regions.map(\.box) == [PixelRect(x: 3, y: 4, width: 10, height: 2)])
  }

  @Test func aSizeThatHoldsBothMustNotBeTooLarge() async throws {
    let tall = try PNGEncoder.encode(Bitmap(width: 1, height: 60_000, fill: .white))
    let wide = try PNGEncoder.encode(Bitmap(width: 60_000, height: 1, fill: .white))
    let error = await #expect(throws: PNGError.self) { try await PNGComparison.compare(tall, wide) }
    #expect(error?.code == "png-too-large")
  }
}
