import Testing

@testable import Pixels

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
