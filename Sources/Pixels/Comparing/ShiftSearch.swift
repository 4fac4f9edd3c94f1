/// Finds regions of differences that one move by whole pixels explains.
struct ShiftSearch {
  let comparer: BandComparer
  /// The farthest move in each direction.
  let reach: Int
  /// The farthest move anybody may ask for: each candidate costs a look at every differing pixel.
  static let greatestReach = 16

  /// The shortest move that explains all these pixels; nil when there is none.
  func shift(of pixels: [(x: Int, y: Int)]) -> PixelShift? {
    candidates.first { shift in pixels.allSatisfy { isExplained($0.x, $0.y, by: shift) } }
  }

  /// Every move but none at all, the shortest first.
  private var candidates: [PixelShift] {
    let reach = min(reach, Self.greatestReach)
    let all = (-reach...reach).flatMap { y in (-reach...reach).map { x in PixelShift(x: x, y: y) } }
    let moves = all.filter { $0 != PixelShift(x: 0, y: 0) }
    return moves.sorted { ($0.x * $0.x + $0.y * $0.y, $0.y, $0.x) < ($1.x * $1.x + $1.y * $1.y, $1.y, $1.x) }
  }

  /// Whether what was there before is now at its new place, and what is there now was at its old one.
  private func isExplained(_ x: Int, _ y: Int, by shift: PixelShift) -> Bool {
    let index = y * comparer.width + x
    let (first, second) = (comparer.first, comparer.second)
    return isSame(first, x, y, second, x + shift.x, y + shift.y, index)
      && isSame(second, x, y, first, x - shift.x, y - shift.y, index)
  }

  /// Nobody can tell what moved in from outside the image, or out of it.
  private func isSame(
    _ plane: RasterPlane, _ x: Int, _ y: Int, _ other: RasterPlane, _ otherX: Int, _ otherY: Int, _ index: Int
  ) -> Bool {
    guard otherX >= 0, otherY >= 0, otherX < comparer.width, otherY < comparer.height else { return true }
    return comparer.isSame(plane.pixel(x, y), other.pixel(otherX, otherY), index: index)
  }
}
