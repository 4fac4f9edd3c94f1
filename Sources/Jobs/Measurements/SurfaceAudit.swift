/// What the picture of an ad tells by itself.
package struct SurfaceAudit: Hashable, Sendable, Codable {
  /// Whether the ad shows one colour and nothing else.
  package var isBlank: Bool
  /// Whether a line of one colour goes round the ad, standing out from what is inside it.
  package var hasBorder: Bool
  /// Which part of the outermost pixels is about white, and about black: what a page's own background swallows.
  package var whiteEdge: Double
  package var blackEdge: Double

  package init(isBlank: Bool, hasBorder: Bool, whiteEdge: Double, blackEdge: Double) {
    self.isBlank = isBlank
    self.hasBorder = hasBorder
    self.whiteEdge = whiteEdge
    self.blackEdge = blackEdge
  }
}
