internal import Glibc

extension Bitmap: Equatable {
  /// Same size and the same value in every pixel.
  package static func == (a: Bitmap, b: Bitmap) -> Bool {
    guard a.width == b.width, a.height == b.height else { return false }
    return a.pixels.withUnsafeBytes { first in
      b.pixels.withUnsafeBytes { second in
        guard first.count == second.count else { return false }
        guard let p = first.baseAddress, let q = second.baseAddress, p != q else { return true }
        return memcmp(p, q, first.count) == 0
      }
    }
  }
}

extension Bitmap {
  /// Whether it shows one colour only, which is how a blank page looks; an empty bitmap is uniform too.
  package var isUniform: Bool {
    pixels.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, bytes.count > 4 else { return true }
      // Every pixel equals the one after it exactly when the bytes equal themselves moved by a pixel.
      return memcmp(base, base + 4, bytes.count - 4) == 0
    }
  }

  /// Whether nothing would show through any pixel; true for an empty bitmap.
  package var isOpaque: Bool {
    pixels.withUnsafeBufferPointer { SourceOver.alphas(of: $0).common == 255 }
  }
}
