extension Bitmap {
  /// The contrast between its foremost luminance and the one that stands out most from it, from 1 to 21; nil when empty.
  ///
  /// What covers less than 3 % of it doesn't count.
  package var contrast: Double? {
    guard !pixels.isEmpty else { return nil }
    // Luminances in steps finer than a contrast of 3 needs, even between dark ones.
    var shades: [Int: Int] = [:]
    for pixel in pixels { shades[Int((Luminance.of(pixel) * 200).rounded()), default: 0] += 1 }
    guard let ground = shades.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else { return nil }
    let least = Double(pixels.count) * 0.03
    return shades.filter { Double($0.value) >= least }.keys
      .map { Luminance.contrast(Double($0) / 200, Double(ground) / 200) }.max() ?? 1
  }
}
