import Testing

@testable import Bundles

@Suite("A hint at depth")
struct DepthHintTests {
  @Test(
    "is given by transforms in space and backdrop filters, anywhere in the text",
    arguments: [
      "a { transform: rotateY(3deg) }", "rotateX(", "<p style='transform: matrix3d(1,0,0,0)'>", "backdrop-filter",
      "-webkit-backdrop-filter: blur(2px)", "rrotate3d(1, 1, 0, 9deg)",
    ])
  func given(text: String) { #expect(DepthHint.isGiven(in: Array(text.utf8))) }

  @Test(
    "isn't given by what looks like it",
    arguments: [
      "", "r", "rotate(3deg)", "translate3d(0, 0, 0)", "perspective: 20px", "rotateY", "backdrop",
    ])
  func notGiven(text: String) { #expect(!DepthHint.isGiven(in: Array(text.utf8))) }
}
