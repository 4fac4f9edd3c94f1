/// "Anti-aliased Pixel and Intensity Slope Detector", Vyšniauskas 2009, decided as pixelmatch decides it.
struct Antialiasing {
  let plane: RasterPlane
  let other: RasterPlane
  let width: Int
  let height: Int

  /// Whether a pixel of `plane` lies on a slope between a darker and a brighter one that both images have flat.
  func isLikely(_ x: Int, _ y: Int) -> Bool {
    let center = plane.pixel(x, y)
    let index = y &* width &+ x
    var equal = isAtEdge(x, y) ? 1 : 0
    var darkest = (delta: 0.0, x: 0, y: 0)
    var brightest = darkest
    for nx in max(x - 1, 0)...min(x + 1, width - 1) {
      for ny in max(y - 1, 0)...min(y + 1, height - 1) where nx != x || ny != y {
        let pixel = plane.pixel(nx, ny)
        let delta = pixel == center ? 0 : YIQ.brightness(center, over: pixel, index: index)
        if delta == 0 {
          equal += 1
          if equal > 2 { return false }
        } else if delta < darkest.delta {
          darkest = (delta, nx, ny)
        } else if delta > brightest.delta {
          brightest = (delta, nx, ny)
        }
      }
    }
    guard darkest.delta != 0, brightest.delta != 0 else { return false }
    return isFlatInBoth(darkest.x, darkest.y) || isFlatInBoth(brightest.x, brightest.y)
  }

  private func isFlatInBoth(_ x: Int, _ y: Int) -> Bool { isFlat(plane, x, y) && isFlat(other, x, y) }

  /// Whether at least three neighbours have the pixel's colour; beyond the image's edge lies one that does.
  private func isFlat(_ plane: RasterPlane, _ x: Int, _ y: Int) -> Bool {
    let center = plane.pixel(x, y)
    var equal = isAtEdge(x, y) ? 1 : 0
    for nx in max(x - 1, 0)...min(x + 1, width - 1) {
      for ny in max(y - 1, 0)...min(y + 1, height - 1) where nx != x || ny != y {
        if plane.pixel(nx, ny) == center { equal += 1 }
        if equal > 2 { return true }
      }
    }
    return false
  }

  private func isAtEdge(_ x: Int, _ y: Int) -> Bool { x == 0 || y == 0 || x == width - 1 || y == height - 1 }
}
