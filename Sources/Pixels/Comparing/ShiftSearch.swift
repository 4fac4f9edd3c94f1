/// Finds regions of differences that one move by whole pixels explains.
struct ShiftSearch {
  let comparer: BandComparer
  /// The farthest move anybody may ask for: each candidate costs a look at every differing pixel.
  static let greatestReach = 16

  /// Every move but none at all, the shortest first.
  private let candidates: [PixelShift]

  /// Looks for moves of at most `reach` pixels in each direction.
  init(_ comparer: BandComparer, reach: Int) {
    self.comparer = comparer
    let reach = min(reach, Self.greatestReach)
    let all = (-reach...reach).flatMap { y in (-reach...reach).map { x in PixelShift(x: x, y: y) } }
    let moves = all.filter { $0 != PixelShift(x: 0, y: 0) }
    candidates = moves.sorted { ($0.x * $0.x + $0.y * $0.y, $0.y, $0.x) < ($1.x * $1.x + $1.y * $1.y, $1.y, $1.x) }
  }

  /// The shortest move that explains all pixels of a region of `mask`; nil when there is none.
  func shift(ofRegion index: Int, in map: RegionMap, _ mask: PixelMask) -> PixelShift? {
    candidates.first { shift in
      mask.allSatisfy(in: map.regions[index].box) { x, y in
        map.region(of: x, y) != index || x < comparer.width && y < comparer.height && isExplained(x, y, by: shift)
      }
    }
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
