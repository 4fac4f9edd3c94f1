import AdManager
import Core
import Device
import Files
import Foundation
import Pixels
import RenderModel
import TestFolders
import Testing

@testable import Hosting

@Suite("Pictures on disk")
struct FrameWriterTests {
  private static let red = Bitmap(width: 40, height: 20, fill: Color(rgb: 0xff0000))
  private static let blue = Bitmap(width: 40, height: 20, fill: Color(rgb: 0x0000ff))

  /// A screen with an ad whose view shows one picture, while the ad alone is another.
  private func contents(x: Double = 10, page: Bitmap = red, ad: Bitmap? = red) throws -> FrameContents {
    let device = try #require(DeviceCatalogue.standard.device(named: DeviceCatalogue.defaultName))
    let frame = Rect(x: x, y: 200, width: 40, height: 20)
    let layer = Layer(id: "ad", kind: .ad, frame: frame, viewID: .creative)
    return FrameContents(screen: Screen(device: device, layers: [layer]), pages: [.creative: page], ad: ad)
  }

  @Test("show each frame, whichever of its parts differs from the frame before it")
  func parts() async throws {
    let folder = try TestFolder()
    let frames = [
      try contents(), try contents(), try contents(page: Self.blue), try contents(page: Self.blue, ad: Self.blue),
      try contents(x: 90, page: Self.blue, ad: Self.blue), try contents(x: 90, page: Self.blue, ad: nil),
      try contents(), try contents(),
    ]
    var writer = FrameWriter(encoder: ScreenEncoder())
    for (number, frame) in frames.enumerated() { writer.write(frame, to: "\(folder.path)/\(number)") }
    #expect(await writer.finish() == nil)
    #expect(writer.encoded == 6)
    for (number, frame) in frames.enumerated() {
      let composed = Compositor().compose(frame.screen, views: frame.pages)
      #expect(try PNGDecoder.read(path: "\(folder.path)/\(number).png") == composed, "\(number)")
      let alone = "\(folder.path)/\(number)-ad.png"
      guard let ad = frame.ad else {
        #expect(!FileManager.default.fileExists(atPath: alone))
        continue
      }
      #expect(try PNGDecoder.read(path: alone) == ad, "\(number)")
    }
  }

  @Test("that can't be written are told of once all are done, the like of one before as well")
  func faults() async throws {
    let folder = try TestFolder()
    var writer = FrameWriter(encoder: ScreenEncoder())
    try writer.write(contents(), to: "\(folder.path)/there")
    try writer.write(contents(), to: "\(folder.path)/nowhere/1")
    #expect(await writer.finish()?.code == "output-failed")
    #expect(FileManager.default.fileExists(atPath: "\(folder.path)/there.png"))
  }

  @Test("tell why they couldn't be written")
  func reasons() {
    #expect(PNGError.file(operation: "write", path: "/x.png", number: ENOSPC).fault.code == "disk-full")
    #expect(PNGError.outOfMemory.fault.origin == .engine)
  }
}
