import MRAID
import Testing

@testable import Stage

@Suite("A viewport meta element")
struct ViewportTests {
  /// As wide as a banner's slot.
  private static let slot = Size(width: 320, height: 50)

  @Test(
    "says how much a page is scaled in a view of 320 dip",
    arguments: [
      ("", 1), ("width=device-width", 1), ("width=device-width, initial-scale=1", 1), ("initial-scale=1.0", 1),
      ("width=320", 1), ("width=640", 0.5), ("width=160", 2), ("WIDTH = 640", 0.5), ("width=640px", 0.5),
      ("width=640;user-scalable=no", 0.5), ("width=640, initial-scale=0.5", 0.5), ("initial-scale=0.5", 0.5),
      ("width=device-width, initial-scale=.5", 1), ("width=160, initial-scale=1", 2),
      ("width=640, maximum-scale=0.4", 0.4), ("width=640, minimum-scale=0.8", 0.8), ("width=10000", 0.25),
      ("width=1", 5), ("initial-scale=2, maximum-scale=1", 1), ("minimum-scale=1, maximum-scale=1, width=640", 1),
      ("width=device-height", 5), ("height=50", 1), ("shrink-to-fit=no", 1),
    ] as [(String, Double)])
  func scale(content: String, scale: Double) {
    #expect(Viewport(content: content).scale(in: Self.slot) == scale)
  }

  @Test("of fixed width fills each view that it comes into")
  func growth() {
    let viewport = Viewport(content: "width=320")
    #expect(viewport.scale(in: Size(width: 400, height: 800)) == 1.25)
    #expect(viewport.scale(in: Size(width: 160, height: 800)) == 0.5)
  }

  @Test(
    "that makes no sense is none",
    arguments: [
      "width=-640", "width=nan", "width=inf", "width=0", "width=", "=640", "width", ",,;=", "initial-scale=-1",
      "width=1e400", "width=.", "initial-scale=0", "width=\u{0}640", "640", "width=＃", "width=٣٢٠",
    ])
  func nonsense(content: String) {
    let scale = Viewport(content: content).scale(in: Self.slot)
    #expect(scale == (content == "width=1e400" ? 5 : 1), "\(scale)")
  }

  @Test("is bounded, however large its numbers and small its view")
  func bounds() {
    let large = String(repeating: "9", count: 400)
    for content in ["width=\(large)", "initial-scale=\(large)", "width=1e308", "minimum-scale=\(large)"] {
      for view in [Size(width: 0, height: 0), Size(width: 1, height: 1), Size(width: 4096, height: 4096)] {
        #expect((0.1...10).contains(Viewport(content: content).scale(in: view)), "\(content.prefix(20)) \(view)")
      }
    }
    let long = String(repeating: "a=1,", count: 100_000) + "width=640"
    #expect(Viewport(content: long).scale(in: Self.slot) == 1)
  }
}
