import Pixels
import Testing

@Suite("Images that move by themselves")
struct AnimatedImageTests {
  /// A GIF of one dot, whose frames stay for so many hundredths of a second.
  static func gif(_ delays: [Int], loops: Int? = nil) -> [UInt8] {
    var bytes = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    if let loops {
      bytes += [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, UInt8(loops & 255), UInt8(loops >> 8), 0]
    }
    for delay in delays {
      bytes += [0x21, 0xf9, 4, 4, UInt8(delay & 255), UInt8(delay >> 8), 0, 0]
      bytes += [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
    }
    return bytes + [0x3b]
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    [0, 0, 0, UInt8(data.count)] + Array(name.utf8) + data + [0, 0, 0, 0]
  }

  /// An APNG's chunks without its pictures.
  private static func png(plays: UInt8, frames: Int) -> [UInt8] {
    let control = [UInt8](repeating: 0, count: 20) + [0, 1, 0, 4, 0, 0]
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", [UInt8](repeating: 0, count: 13))
      + chunk("acTL", [0, 0, 0, UInt8(frames), 0, 0, 0, plays])
      + (0..<frames).flatMap { _ in chunk("fcTL", control) } + chunk("IEND", [])
  }

  private static func webp(plays: UInt8, frames: Int) -> [UInt8] {
    let frame = Array("ANMF".utf8) + [16, 0, 0, 0] + [UInt8](repeating: 0, count: 12) + [0x2c, 1, 0, 0]
    return Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP".utf8) + Array("ANIM".utf8)
      + [6, 0, 0, 0, 0, 0, 0, 0, plays, 0] + (0..<frames).flatMap { _ in frame }
  }

  @Test("a GIF says how long its frames stay and how often it is played again")
  func gifs() throws {
    let once = try #require(AnimatedImage(Self.gif([50, 25])))
    #expect((once.frames, once.plays, once.loop, once.length) == (2, 1, 750, 750))
    let thrice = try #require(AnimatedImage(Self.gif([50, 50, 0], loops: 2)))
    #expect((thrice.frames, thrice.plays, thrice.loop, thrice.length) == (3, 3, 1_100, 3_300))
    let endless = try #require(AnimatedImage(Self.gif([10, 10], loops: 0)))
    #expect((endless.plays, endless.length) == (nil, nil))
  }

  @Test("so do an APNG and a WebP")
  func others() throws {
    let png = try #require(AnimatedImage(Self.png(plays: 2, frames: 3)))
    #expect((png.frames, png.plays, png.loop) == (3, 2, 750))
    #expect(try #require(AnimatedImage(Self.png(plays: 0, frames: 2))).plays == nil)
    let webp = try #require(AnimatedImage(Self.webp(plays: 1, frames: 2)))
    #expect((webp.frames, webp.plays, webp.loop) == (2, 1, 600))
    #expect(try #require(AnimatedImage(Self.webp(plays: 0, frames: 2))).plays == nil)
  }

  @Test("one of a single frame stands still, and so does what is none")
  func still() {
    #expect(AnimatedImage(Self.gif([10])) == nil)
    #expect(AnimatedImage(Self.png(plays: 0, frames: 1)) == nil)
    #expect(AnimatedImage(Array("<svg/>".utf8)) == nil)
    #expect(AnimatedImage([]) == nil)
  }

  @Test("one that is cut anywhere, or lies about its lengths, is read as far as it goes")
  func cut() {
    for file in [Self.gif([10, 10], loops: 0), Self.png(plays: 1, frames: 3), Self.webp(plays: 1, frames: 3)] {
      for length in 0...file.count { _ = AnimatedImage(Array(file.prefix(length))) }
      for at in file.indices {
        var broken = file
        broken[at] = 0xff
        _ = AnimatedImage(broken)
      }
    }
  }
}
