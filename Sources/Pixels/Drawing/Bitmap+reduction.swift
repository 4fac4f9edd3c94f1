extension Bitmap {
  /// The picture at one `factor`th of its size, each pixel the mean of those it stands for; leftovers at the right and
  /// bottom edges are dropped.
  package func reduced(by factor: Int) -> Bitmap {
    requireIntact()
    guard factor > 1 else { return self }
    let (across, down) = (width / factor, height / factor)
    let count = UInt32(factor * factor)
    var reduced = [UInt32]()
    reduced.reserveCapacity(across * down)
    pixels.withUnsafeBufferPointer { source in
      for y in 0..<down {
        for x in 0..<across {
          var sums = SIMD4<UInt32>()
          for row in y * factor..<(y + 1) * factor {
            for place in row * width + x * factor..<row * width + (x + 1) * factor {
              let pixel = source[place]
              sums &+= SIMD4(pixel >> 24, pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255)
            }
          }
          let mean = (sums &+ count / 2) / count
          reduced.append(mean[0] << 24 | mean[1] << 16 | mean[2] << 8 | mean[3])
        }
      }
    }
    return Bitmap(width: across, height: down, pixels: reduced)
  }
}
