import AdManager
import Core
import Device
import Files
import Foundation
import Pixels
@testable import Rendering
import RenderModel
import Testing

@Suite("Pictures on disk")
struct ScreenshotWriterTests {
  private static let red = Bitmap(width: 40, height: 20, fill: Color(rgb: 0xff0000))
  private static let blue = Bitmap(width: 40, height: 20, fill: Color(rgb: 0x0000ff))

  /// A screen with an ad whose view shows one picture, while the ad alone is another.
  private func sight(x: Double = 10, page: Bitmap = red, ad: Bitmap? = red) throws -> ScreenshotWriter.Sight {
    let device = try #require(DeviceCatalogue.standard.device(named: DeviceCatalogue.defaultName))
    let frame = Rect(x: x, y: 200, width: 40, height: 20)
    let layer = Layer(id: "ad", kind: .ad, frame: frame, viewID: .creative)
    return ScreenshotWriter.Sight(screen: Screen(device: device, layers: [layer]), pages: [.creative: page], ad: ad)
  }

  @Test("are what each sight shows, whichever of its parts differs from the sight before it")
  func parts() async throws {
    let folder = try TemporaryFolder()
    let sights = [
      try sight(), try sight(), try sight(page: Self.blue), try sight(page: Self.blue, ad: Self.blue),
      try sight(x: 90, page: Self.blue, ad: Self.blue), try sight(x: 90, page: Self.blue, ad: nil), try sight(),
      try sight(),
    ]
    var writer = ScreenshotWriter(encoder: ScreenshotEncoder())
    for (number, sight) in sights.enumerated() { writer.write(sight, to: "\(folder.path)/\(number)") }
    #expect(await writer.finish() == nil)
    #expect(writer.encoded == 6)
    for (number, sight) in sights.enumerated() {
      let composed = Compositor().compose(sight.screen, views: sight.pages)
      #expect(try PNGDecoder.read(path: "\(folder.path)/\(number).png") == composed, "\(number)")
      let alone = "\(folder.path)/\(number)-ad.png"
      guard let ad = sight.ad else {
        #expect(!FileManager.default.fileExists(atPath: alone))
        continue
      }
      #expect(try PNGDecoder.read(path: alone) == ad, "\(number)")
    }
  }

  @Test("that can't be written are told of once all are done, the like of one before as well")
  func faults() async throws {
    let folder = try TemporaryFolder()
    var writer = ScreenshotWriter(encoder: ScreenshotEncoder())
    try writer.write(sight(), to: "\(folder.path)/there")
    try writer.write(sight(), to: "\(folder.path)/nowhere/1")
    #expect(await writer.finish()?.code == "output-failed")
    #expect(FileManager.default.fileExists(atPath: "\(folder.path)/there.png"))
  }

  @Test("tell why they couldn't be written")
  func reasons() {
    #expect(PNGError.file(operation: "write", path: "/x.png", number: ENOSPC).fault.code == "disk-full")
    #expect(PNGError.outOfMemory.fault.origin == .engine)
  }
}

@Suite("Images that may move")
struct MovingImageTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  @Test(
    "what has one picture by its type never moves", arguments: ["image/jpeg", "text/css", "font/woff2", "video/mp4"])
  func still(type: String) { #expect(!MovingImage.mayBe(mimeType: type, body: nil)) }

  @Test(
    "what may have several, or says nothing of itself, may",
    arguments: ["image/gif", "image/webp", "image/svg+xml", ""])
  func moving(type: String) { #expect(MovingImage.mayBe(mimeType: type, body: nil)) }

  @Test("a PNG moves when it says so, and may when nobody has seen it")
  func png() {
    #expect(!MovingImage.mayBe(mimeType: "image/png", body: Self.png + Array("IHDR IDAT".utf8)))
    #expect(MovingImage.mayBe(mimeType: "image/png", body: Self.png + Array("IHDR acTL IDAT".utf8)))
    #expect(MovingImage.mayBe(mimeType: "image/png", body: nil))
  }

  @Test("a GIF too short for two pictures stands still, as those do that count somebody")
  func pixels() {
    #expect(!MovingImage.mayBe(mimeType: "image/gif", body: nil, bytes: 43))
    #expect(MovingImage.mayBe(mimeType: "image/gif", body: nil, bytes: 50))
    #expect(!MovingImage.mayBe(mimeType: "image/gif", body: [UInt8](repeating: 0, count: 35), bytes: -1))
  }
}
