/// The square of an image in which the most pixels differ: a share of the whole hides a small part that changed a lot.
package struct DensestWindow: Hashable, Sendable {
  /// Its place; smaller than the window asked for where the image is.
  package let box: PixelRect
  package let differing: Int

  /// Looks at every place of a window with sides of `side` pixels; the first of equal ones is taken. Nil without pixels.
  init?(of mask: PixelMask, side: Int) {
    guard !mask.isUntouched, side > 0 else { return nil }
    let (width, height) = (min(side, mask.width), min(side, mask.height))
    // How many pixels of each column differ in the rows of the window.
    var columns = [Int32](repeating: 0, count: mask.width)
    var best = (count: 0, x: 0, y: 0)
    var isChanged = false
    for y in 0..<mask.height {
      if Self.add(mask, row: y, 1, to: &columns) { isChanged = true }
      if y >= height, Self.add(mask, row: y - height, -1, to: &columns) { isChanged = true }
      guard isChanged, y + 1 >= height else { continue }
      isChanged = false
      var count = columns[..<width].reduce(0) { $0 + Int($1) }
      if count > best.count { best = (count, 0, y + 1 - height) }
      for x in width..<max(width, mask.width) {
        count += Int(columns[x]) - Int(columns[x - width])
        if count > best.count { best = (count, x + 1 - width, y + 1 - height) }
      }
    }
    guard best.count > 0 else { return nil }
    box = PixelRect(x: best.x, y: best.y, width: width, height: height)
    differing = best.count
  }

  /// Counts a row in or out; false when it holds nothing.
  private static func add(_ mask: PixelMask, row: Int, _ amount: Int32, to columns: inout [Int32]) -> Bool {
    var isChanged = false
    for column in 0..<mask.wordsPerRow {
      var word = mask.words[row * mask.wordsPerRow + column]
      while word != 0 {
        isChanged = true
        columns[column * 64 + word.trailingZeroBitCount] += amount
        word &= word - 1
      }
    }
    return isChanged
  }
}
