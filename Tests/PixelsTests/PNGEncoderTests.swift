import Foundation
import Testing

@testable import Pixels

@Suite struct PNGEncoderTests {
  /// Noise that repeats at every run.
  struct Noise: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 33
    }
  }

  /// Valid premultiplied pixels of any alpha, or of full alpha only.
  private func noise(_ width: Int, _ height: Int, opaque: Bool) -> Bitmap {
    var generator = Noise(state: UInt64(width * 7919 + height))
    let pixels = (0..<width * height).map { _ in
      let bits = generator.next()
      return Color(rgb: UInt32(bits & 0xFF_FFFF), alpha: opaque ? 255 : UInt8(bits >> 40 & 0xFF)).premultiplied
    }
    return Bitmap(width: width, height: height, pixels: pixels)
  }

  static let sizes = [(1, 1), (1, 9), (9, 1), (2, 2), (3, 5), (17, 31), (64, 64), (257, 3)]

  @Test(arguments: sizes)
  func noiseWithAlphaComesBackExactly(_ width: Int, _ height: Int) throws {
    let bitmap = noise(width, height, opaque: false)
    #expect(try PNGDecoder.decode(PNGEncoder.encode(bitmap)) == bitmap)
  }

  @Test(arguments: sizes)
  func opaqueNoiseComesBackExactly(_ width: Int, _ height: Int) throws {
    let bitmap = noise(width, height, opaque: true)
    #expect(try PNGDecoder.decode(PNGEncoder.encode(bitmap)) == bitmap)
  }

  @Test func everyPremultipliedValueComesBackExactly() throws {
    let pixels = (UInt32(0)...255).flatMap { alpha in
      (UInt32(0)...255).map { value in alpha << 24 | min(value, alpha) * 0x01_0101 }
    }
    let bitmap = Bitmap(width: 256, height: 256, pixels: pixels)
    #expect(try PNGDecoder.decode(PNGEncoder.encode(bitmap)) == bitmap)
  }

  @Test func screensWithFlatRepeatedAndBusyRowsComeBackExactly() throws {
    for alpha in [UInt8(255), 200] {
      var bitmap = Bitmap(width: 61, height: 90, fill: Color(rgb: 0xF0_F0F0, alpha: alpha))
      bitmap.fillRoundedRect(PixelRect(x: 5, y: 5, width: 50, height: 20), radius: 8, color: .scrim)
      bitmap.blit(noise(40, 30, opaque: true), x: 10, y: 30)
      bitmap.fillCircle(center: PixelPoint(x: 30, y: 75), radius: 9, color: .white)
      #expect(try PNGDecoder.decode(PNGEncoder.encode(bitmap)) == bitmap)
    }
  }

  @Test func opaqueIsRGBAndTranslucentIsRGBA() throws {
    var bitmap = Bitmap(width: 300, height: 2, fill: .white)
    let opaque = try PNGEncoder.encode(bitmap)
    #expect(Array(opaque[..<26]) == Array(PNGFixture(width: 300, height: 2, colorType: 2, scanlines: []).bytes[..<26]))
    bitmap.pixels[0] = 0x8080_8080
    let translucent = try PNGEncoder.encode(bitmap)
    #expect(translucent[25] == 6)
  }

  @Test func chunksAreInOrderAndTheirChecksumsRight() throws {
    let bytes = try PNGEncoder.encode(noise(20, 20, opaque: true))
    var types: [String] = []
    var at = 8
    while at < bytes.count {
      let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      let sum = bytes[(at + 8 + length)..<(at + 12 + length)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      #expect(sum == PNGFixture.crc(Array(bytes[(at + 4)..<(at + 8 + length)])))
      types.append(String(decoding: bytes[at + 4..<at + 8], as: UTF8.self))
      at += 12 + length
    }
    #expect(types == ["IHDR", "IDAT", "IEND"])
    #expect(at == bytes.count)
  }

  @Test func sameBitmapGivesSameBytes() throws {
    let bitmap = noise(50, 50, opaque: false)
    #expect(try PNGEncoder.encode(bitmap) == PNGEncoder.encode(bitmap))
  }

  @Test func coloursBrighterThanTheirAlphaAreLimited() throws {
    let impossible = Bitmap(width: 1, height: 1, pixels: [0x40FF_FF10])
    #expect(try PNGDecoder.decode(PNGEncoder.encode(impossible)).pixels == [0x4040_4010])
  }

  @Test func bitmapWithoutPixelsIsRefused() {
    #expect(throws: PNGError.empty) { try PNGEncoder.encode(Bitmap(width: 0, height: 0, pixels: [])) }
    #expect(throws: PNGError.empty) { try PNGEncoder.encode(Bitmap(width: 5, height: 0, pixels: [])) }
  }
}

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
    #expect(scanlines.pieces == [.rows(0..<21, busyShare: 0)])
  }

  @Test func busyRowsBecomeDifferencesThatWrapAround() {
    let bitmap = Bitmap(
      width: 3, height: 2, pixels: [0xFF00_0000, 0xFF80_FF01, 0xFFFF_0000, 0xFF01_0203, 0xFF7F_0002, 0xFF00_0100])
    let scanlines = Scanlines(bitmap, channels: 3)
    #expect(bytes(scanlines).suffix(10) == [2, 1, 2, 3, 255, 1, 1, 1, 1, 0])
    // Two of six pixels: the first column isn't compared.
    #expect(scanlines.pieces == [.rows(0..<20, busyShare: 2.0 / 6)])
  }

  @Test func longRepeatsStandAlone() {
    // A row has 1801 bytes, so 19 rows are a long repeat and 18 are not.
    var bitmap = Bitmap(width: 600, height: 62, fill: .white)
    bitmap.fill(PixelRect(x: 3, y: 20, width: 9, height: 1), .black)
    bitmap.fill(PixelRect(x: 0, y: 40, width: 600, height: 22), .black)
    let scanlines = Scanlines(bitmap, channels: 3)
    let pieces: [Scanlines.Piece] = [
      .rows(0..<1801, busyShare: 0), .repeats(19), .rows(1801..<22 * 1801, busyShare: 1.0 / 12_600), .repeats(21),
    ]
    #expect(scanlines.pieces == pieces)
    #expect(scanlines.count == 22 * 1801)
    #expect(bytes(scanlines)[3 * 1801] == 2)
    #expect(bytes(scanlines)[(3 * 1801 + 1)..<(4 * 1801)].allSatisfy { $0 == 0 })
  }

  @Test func repeatsBehindMuchMoreThatIsBusyStayWithIt() {
    var pixels = [UInt32](repeating: 0xFFFF_FFFF, count: 600 * 100)
    for index in 0..<600 * 60 { pixels[index] = 0xFF00_0000 | UInt32(index) &* 0x9E37 & 0xFF_FFFF }
    let scanlines = Scanlines(Bitmap(width: 600, height: 100, pixels: pixels), channels: 3)
    #expect(scanlines.pieces.count == 1)
    #expect(scanlines.count == 100 * 1801)
  }

  @Test func alphaIsStraight() {
    let bitmap = Bitmap(width: 2, height: 1, pixels: [0x8040_2000, 0x0000_0000])
    let scanlines = Scanlines(bitmap, channels: 4)
    #expect(bytes(scanlines) == [0, 128, 64, 0, 128, 0, 0, 0, 0])
  }
}

@Suite struct PNGFileTests {
  private static let bitmap = Bitmap(width: 3, height: 2, fill: Color(rgb: 0x0A_0B0C))

  /// Runs a test in a folder of its own.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "pixels-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  @Test func writtenFileIsReadBackAndNothingElseIsLeft() throws {
    try withFolder { folder in
      try PNGEncoder.write(Self.bitmap, to: folder + "/a.png")
      #expect(try PNGDecoder.read(path: folder + "/a.png") == Self.bitmap)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.png"])
    }
  }

  @Test func existingFileIsReplaced() throws {
    try withFolder { folder in
      try PNGEncoder.write(Bitmap(width: 200, height: 200, fill: .white), to: folder + "/a.png")
      try PNGEncoder.write(Self.bitmap, to: folder + "/a.png")
      #expect(try PNGDecoder.read(path: folder + "/a.png") == Self.bitmap)
    }
  }

  @Test func missingFolderIsReportedWithPathAndErrno() throws {
    try withFolder { folder in
      let path = folder + "/none/a.png"
      #expect(throws: PNGError.file(operation: "write", path: path, number: ENOENT)) {
        try PNGEncoder.write(Self.bitmap, to: path)
      }
      #expect(throws: PNGError.file(operation: "read", path: path, number: ENOENT)) {
        try PNGDecoder.read(path: path)
      }
    }
  }

  @Test func failedWriteLeavesNoTemporaryFile() throws {
    try withFolder { folder in
      try FileManager.default.createDirectory(atPath: folder + "/a.png", withIntermediateDirectories: true)
      #expect(throws: PNGError.file(operation: "write", path: folder + "/a.png", number: EISDIR)) {
        try PNGEncoder.write(Self.bitmap, to: folder + "/a.png")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.png"])
    }
  }

  @Test func fullDiskIsSeenWhenWriting() throws {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    #expect(PNGFile.fill(descriptor, with: [1, 2, 3]) == ENOSPC)
  }

  @Test func foldersAndPipesAreNotRead() throws {
    try withFolder { folder in
      #expect(throws: PNGError.file(operation: "read", path: folder, number: EISDIR)) {
        try PNGDecoder.read(path: folder)
      }
      let pipe = folder + "/pipe"
      try #require(mkfifo(pipe, 0o600) == 0)
      #expect(throws: PNGError.file(operation: "read", path: pipe, number: EINVAL)) { try PNGDecoder.read(path: pipe) }
    }
  }

  @Test func messagesSayWhatToActOn() {
    let full = PNGError.file(operation: "write", path: "/r/a.png", number: ENOSPC)
    #expect(full.code == "png-disk-full")
    #expect(full.description == "can't write /r/a.png: No space left on device (errno 28)")
    #expect(PNGError.file(operation: "write", path: "/r/a.png", number: EACCES).code == "png-not-permitted")
    #expect(PNGError.file(operation: "read", path: "/r/a.png", number: ENOENT).code == "png-file-failed")
  }
}

@Suite struct PNGRecompressionTests {
  @Test func keepsEveryPixel() throws {
    var files = RandomFiles(seed: 5)
    var recompressed = 0
    for _ in 0..<100 {
      let file = files.file()
      guard let smaller = PNGRecompression.recompress(file.bytes) else { continue }
      recompressed += 1
      #expect(try PNGDecoder.decode(smaller) == PNGDecoder.decode(file.bytes))
    }
    #expect(recompressed > 20)
  }

  @Test func leavesBrokenFilesAlone() {
    var files = RandomFiles(seed: 6)
    for _ in 0..<300 {
      let bytes = files.broken(files.file())
      guard let smaller = PNGRecompression.recompress(bytes) else { continue }
      #expect((try? PNGDecoder.decode(smaller)) == (try? PNGDecoder.decode(bytes)))
    }
    #expect(PNGRecompression.recompress([]) == nil)
  }
}
