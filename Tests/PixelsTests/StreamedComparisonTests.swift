import Testing

@testable import Pixels

@Suite struct StreamedComparisonTests {
  /// A file of random rows with random filters, and a copy in which some places are other.
  private func pair(
    _ files: inout RandomFiles, width: Int, heights: (Int, Int), channels: Int
  ) -> (PNGFixture, PNGFixture) {
    let type: UInt8 = channels == 3 ? 2 : 6
    var rows: [UInt8] = []
    for _ in 0..<max(heights.0, heights.1) {
      rows.append(UInt8.random(in: 0...4, using: &files.numbers))
      let value = UInt8.random(in: 0...3, using: &files.numbers)
      for _ in 0..<(width * channels) {
        rows.append(Bool.random(using: &files.numbers) ? 0 : value)
      }
    }
    let stride = 1 + width * channels
    var other = rows
    for _ in 0..<20 {
      let at = Int.random(in: other.indices, using: &files.numbers)
      if at % stride > 0 { other[at] &+= 90 }
    }
    let first = PNGFixture(
      width: width, height: heights.0, colorType: type, scanlines: Array(rows[..<(stride * heights.0)]))
    let second = PNGFixture(
      width: width, height: heights.1, colorType: type, scanlines: Array(other[..<(stride * heights.1)]))
    return (first, second)
  }

  /// Compares in both ways and returns true if they agree; sums are equal to the last digit, since both add the same
  /// bands.
  private func agrees(_ first: [UInt8], _ second: [UInt8], _ options: ComparisonOptions) async throws -> Bool {
    let streamed = await StreamedComparison.compare(first, second, options: options)
    let whole = await ImageComparison.compare(
      try PNGDecoder.raster(first), try PNGDecoder.raster(second), options: options)
    return streamed == whole
  }

  @Test(arguments: [1, 2, 255, 256, 257, 258, 259, 511, 512, 513, 770])
  func findsWhatWholePicturesShow(_ height: Int) async throws {
    var files = RandomFiles(seed: UInt64(height))
    for (channels, other) in [(3, height), (4, height), (3, 300), (4, 1)] {
      let (first, second) = pair(&files, width: 9, heights: (height, other), channels: channels)
      for countsAntialiasing in [false, true] {
        let options = ComparisonOptions(
          countsAntialiasing: countsAntialiasing, ignored: [PixelRect(x: 2, y: 250, width: 3, height: 10)], window: 5)
        #expect(try await agrees(first.bytes, second.bytes, options), "\(channels) channels, \(other)")
        #expect(try await agrees(second.bytes, first.bytes, options), "\(channels) channels, \(other)")
      }
    }
  }

  @Test func smallerLimitsGiveTheSameAnswer() async throws {
    var files = RandomFiles(seed: 3)
    for _ in 0..<100 {
      let (first, second) = (files.file().bytes, files.file().bytes)
      let whole = try await PNGComparison.compare(first, second)
      #expect(try await PNGComparison.compare(first, second, wholeLimit: 0) == whole)
    }
  }

  @Test func aStreamThatEndsEarlyOrLateIsNotStreamed() async {
    let rows: [UInt8] = [0, 1, 2, 3, 0, 4, 5, 6]
    let good = PNGFixture(width: 1, height: 2, colorType: 2, scanlines: rows).bytes
    for scanlines in [Array(rows.dropLast()), rows + [0], rows + [0, 1, 2, 3], [0, 1, 2, 3, 5, 4, 5, 6]] {
      let bad = PNGFixture(width: 1, height: 2, colorType: 2, scanlines: scanlines).bytes
      #expect(await StreamedComparison.compare(good, bad, options: ComparisonOptions()) == nil)
    }
    #expect(await StreamedComparison.compare(good, good, options: ComparisonOptions()) != nil)
    #expect(await StreamedComparison.compare(good, good, options: ComparisonOptions(shift: 1)) == nil)
  }
}

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
