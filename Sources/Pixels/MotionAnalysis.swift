/// Analysis of a sequence of images: the share of each that differs from the previous one, and flashes.
package struct MotionAnalysis: Sendable {
  /// Change of an image against the previous one: its timestamp and the share that changed.
  package struct Step: Equatable, Sendable {
    package var t: Double
    package var share: Double
  }

  /// Distance in pixels between sampled places.
  private let step: Int
  private var last: Bitmap?
  private var lattice: LumaGrid?
  package private(set) var flashes: FlashCounter
  package private(set) var steps: [Step] = []
  package private(set) var pictures = 0
  /// Indicates if every image showed only one colour.
  package private(set) var isBlank = true
  /// Indicates if the last image showed only one colour.
  package private(set) var endsBlank = false

  /// Creates an analysis; a change counts towards a flash if it covers the share `leastFlash` of the image.
  package init(step: Int, leastFlash: Double) {
    self.step = step
    flashes = FlashCounter(least: leastFlash)
  }

  /// Adds the image of a timestamp in milliseconds; returns true if enough of it turned brighter or darker to be part
  /// of a flash.
  package mutating func add(_ image: Bitmap, t: Double) -> Bool {
    pictures += 1
    guard image != last else { return false }
    endsBlank = image.isUniform
    isBlank = isBlank && endsBlank
    last = image
    let next = LumaGrid(image, step: step)
    let share = lattice.map { next.share(changedFrom: $0) } ?? 0
    lattice = next
    if share > 0 { steps.append(Step(t: t, share: share)) }
    return flashes.add(next, t: t)
  }
}

/// Samples of an image, evenly spread: enough to detect changes, and cheap to keep.
package struct LumaGrid: Equatable, Sendable {
  /// Samples row by row, 0xAARRGGBB.
  package let pixels: [UInt32]
  private let width: Int
  private let height: Int

  /// Takes the middle pixel of every square of `step` pixels.
  package init(_ bitmap: Bitmap, step: Int) {
    let step = max(1, step)
    width = bitmap.width / step
    height = bitmap.height / step
    let (columns, rows) = (width, height)
    pixels = bitmap.pixels.withUnsafeBufferPointer { source in
      [UInt32](unsafeUninitializedCapacity: columns * rows) { buffer, count in
        for row in 0..<rows {
          let start = (row * step + step / 2) * bitmap.width + step / 2
          for column in 0..<columns { buffer[row * columns + column] = source[start + column * step] }
        }
        count = columns * rows
      }
    }
  }

  /// Largest difference of a channel that doesn't count as a change, such as those of encoders and dithering.
  private static let tolerance: Int32 = 3

  /// Returns the share of samples that differ from another image, from 0 to 1; 1 if the sizes differ.
  package func share(changedFrom other: LumaGrid) -> Double {
    guard width == other.width, height == other.height else { return 1 }
    guard self != other, !pixels.isEmpty else { return 0 }
    let changed = pixels.withUnsafeBufferPointer { ours in
      other.pixels.withUnsafeBufferPointer { theirs in
        var changed = 0
        for index in 0..<ours.count where ours[index] != theirs[index] {
          if Self.differ(ours[index], theirs[index]) { changed += 1 }
        }
        return changed
      }
    }
    return Double(changed) / Double(pixels.count)
  }

  private static func differ(_ one: UInt32, _ other: UInt32) -> Bool {
    for shift in [0, 8, 16] as [UInt32] {
      let distance = Int32(one >> shift & 255) - Int32(other >> shift & 255)
      if abs(distance) > tolerance { return true }
    }
    return false
  }
}
