internal import Glibc

extension Bitmap {
  /// Lays another bitmap over this one with its top-left corner at (x, y), touching only pixels inside `clip`.
  package mutating func blit(_ source: Bitmap, x: Int, y: Int, clip: PixelRect? = nil) {
    let frame = source.bounds.offset(x: x, y: y)
    guard let visible = bounds.intersection(frame), let area = visible.intersection(clip ?? visible) else { return }
    source.requireIntact()
    source.pixels.withUnsafeBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return }
      withRows(of: area) { target, row in
        let line = base + ((row - y) * source.width + area.x - x)
        let alphas = SourceOver.alphas(of: UnsafeBufferPointer(start: line, count: area.width))
        if alphas.common == 255 {
          memcpy(target, line, area.width * 4)
        } else if !alphas.isBlank {
          SourceOver.blend(line, over: target, count: area.width)
        }
      }
    }
  }
}
