import Pixels
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  /// Boxes in 3D scenes: drawn by the compositor if they have depth, and in the right order without it.
  @Suite("Boxes in 3D scenes")
  struct SceneTests {
    /// Scene of a ground and 40 boxes with a transform.
    private static func scene(_ transform: String, boxes: Int = 40) -> String {
      let inner = (0..<boxes).map { index in
        "<div class=box style='left: \(index % 10 * 10)px; top: \(index / 10 * 10)px; transform: \(transform)'></div>"
      }
      return """
        <!doctype html><meta name="ad.size" content="width=100,height=100"><style>
        body { margin: 0 } .scene { position: absolute; inset: 0; perspective: 900px; transform-style: preserve-3d }
        .ground { position: absolute; inset: 0; background: #f00; will-change: transform }
        .box { position: absolute; width: 8px; height: 8px; background: #00f }
        </style><div class=scene><div class=ground></div>\(inner.joined())</div>
        """
    }

    private static func render(
      _ html: String, _ compositing: RenderOptions.Compositing = .automatic
    ) async throws -> (result: RenderedCreative, picture: Bitmap) {
      var options = TestRender.Options(limits: Limits(timeout: 60), compositing: compositing, clock: .virtual)
      options.captures = CaptureSchedule(instants: [0.5])
      let result = try await TestRender(extensionDirectory: WebExtension.folder).render(html: html, options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      return (result, try result.picture(1, ad: true))
    }

    /// Returns the number of boxes that can be seen, by the pixels in their middles.
    private static func boxes(in picture: Bitmap) -> Int {
      let scale = picture.width / 100
      return (0..<40).count { index in
        let (x, y) = ((index % 10 * 10 + 4) * scale, (index / 10 * 10 + 4) * scale)
        return picture.pixels[y * picture.width + x] & 0xff_ffff == 0x00_00ff
      }
    }

    private static func isWarned(_ result: RenderedCreative) -> Bool {
      result.record.warnings.contains { $0.contains("in one plane of a 3D scene") }
    }

    @Test(
      "that stay in their plane are drawn without a compositor, all of them",
      arguments: [
        "scale3d(.9, .9, .9)", "scale3d(1, 1, 1.3)",
        "matrix3d(.9, 0, 0, 0, 0, .9, 0, 0, 0, 0, .9, 0, 0, 0, 0, 1)", "translateZ(0)",
      ])
    func flat(transform: String) async throws {
      let (result, picture) = try await Self.render(Self.scene(transform))
      #expect(result.record.engine?.compositor == nil)
      #expect(Self.boxes(in: picture) == 40)
    }

    @Test("that are tilted or turned around are drawn with one", arguments: ["rotateX(20deg)", "rotateY(180deg)"])
    func deep(transform: String) async throws {
      let (result, _) = try await Self.render(Self.scene(transform, boxes: 3))
      #expect(result.record.engine?.compositor == true)
      #expect(!Self.isWarned(result))
    }

    /// The engine's sort isn't stable beyond 16 layers, whose order in one plane is then that of the sort.
    @Test("in one plane are warned of if the engine doesn't keep their order")
    func crowd() async throws {
      for (boxes, warns) in [(15, false), (40, true)] {
        let (result, _) = try await Self.render(Self.scene("scale3d(.9, .9, .9)", boxes: boxes), .always)
        #expect(Self.isWarned(result) == warns, "\(boxes)")
      }
    }
  }
}
