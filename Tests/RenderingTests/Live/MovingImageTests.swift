import Foundation
import Pixels
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  /// Images that the engine doesn't draw at the right time or place by itself.
  @Suite("Images that the engine needs help with")
  struct MovingImageTests {
    /// Endless GIF of 60 by 60 whose frames are red, green, blue and white for half a second each.
    private static let gif = image(loops: 0)

    private static func image(loops: UInt8) -> String {
      let colors: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
      // A clear code, one dot and so on, three bits each: nothing to be packed.
      var bits: [Int] = []
      for _ in 0..<3_600 { bits += [4, 0] }
      bits.append(5)
      var (data, buffer, held) = ([UInt8](), 0, 0)
      for code in bits {
        buffer |= code << held
        held += 3
        while held >= 8 {
          data.append(UInt8(buffer & 255))
          buffer >>= 8
          held -= 8
        }
      }
      data.append(UInt8(buffer & 255))
      var bytes = Array("GIF89a".utf8) + [60, 0, 60, 0, 0, 0, 0]
      bytes += [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, loops, 0, 0]
      for color in colors {
        bytes += [0x21, 0xf9, 4, 4, 50, 0, 0, 0, 0x2c, 0, 0, 0, 0, 60, 0, 60, 0, 0x81]
        bytes += color + color + color + color + [2]
        for start in stride(from: 0, to: data.count, by: 255) {
          let part = data[start..<min(start + 255, data.count)]
          bytes += [UInt8(part.count)] + part
        }
        bytes.append(0)
      }
      return "data:image/gif;base64," + Data(bytes + [0x3b]).base64EncodedString()
    }

    private static func colors(
      _ body: String, at seconds: [Double], compositing: RenderOptions.Compositing = .never
    ) async throws -> [UInt32] {
      var options = TestRender.Options(limits: Limits(timeout: 60), compositing: compositing, clock: .virtual)
      options.captures = CaptureSchedule(instants: seconds)
      let html = #"<!doctype html><meta name="ad.size" content="width=60,height=60"><body style="margin: 0">\#(body)"#
      let result = try await TestRender(extensionDirectory: WebExtension.folder).render(html: html, options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      return try seconds.indices.map {
        let picture = try result.picture($0 + 1, ad: true)
        return picture.pixels[picture.height / 2 * picture.width + picture.width / 2] & 0xff_ffff
      }
    }

    @Test(
      "an image that moves begins with its first frame and keeps its own pace from the first loop on",
      arguments: [
        "<img src='GIF'>", "<div style='height: 60px; background: url(GIF)'></div>",
        "<iframe style='border: 0; width: 60px; height: 60px' srcdoc='<body style=margin:0><img src=GIF>'></iframe>",
      ])
    func begins(body: String) async throws {
      let colors = try await Self.colors(body.replacing("GIF", with: Self.gif), at: [0, 0.4, 0.8, 1.3, 1.8, 2.3])
      #expect(colors == [0xff_0000, 0xff_0000, 0x00_ff00, 0x00_00ff, 0xff_ffff, 0xff_0000])
    }

    @Test("so does one that a script puts in later")
    func late() async throws {
      let script = """
        <script>setTimeout(() => { document.body.innerHTML = "<img src='\(Self.gif)'>" }, 1000)</script>
        """
      let colors = try await Self.colors(script, at: [1.2, 1.4, 1.8, 2.3])
      #expect(colors == [0xff_0000, 0xff_0000, 0x00_ff00, 0x00_00ff])
    }

    @Test("a background that is all there is on a layer keeps its place with the compositor")
    func background() async throws {
      var halves = Bitmap(width: 120, height: 60, fill: Color(red: 255, green: 0, blue: 0))
      halves.fill(PixelRect(x: 60, y: 0, width: 60, height: 60), Color(red: 0, green: 0, blue: 255))
      let url = "data:image/png;base64," + Data(try PNGEncoder.encode(halves)).base64EncodedString()
      let style = """
        <style>.both { animation: grow 1s ease-out } @keyframes grow { 0%, 50% { transform: scale(.5) } }
        .both div { height: 60px; transform: rotateY(0); background: url(\(url)) right }
        </style><div class="both"><div></div></div>
        """
      #expect(try await Self.colors(style, at: [2], compositing: .always) == [0x00_00ff])
    }
  }
}
