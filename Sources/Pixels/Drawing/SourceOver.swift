/// The arithmetic of laying one premultiplied pixel over another, rounded as pixman and cairo round it.
enum SourceOver {
  /// Multiplies all four channels by `alpha` / 255, to the nearest.
  @inline(__always)
  static func scale(_ pixel: UInt32, by alpha: UInt32) -> UInt32 {
    // Two channels at a time; with t = x + 128, (t + t / 256) / 256 is x / 255 to the nearest.
    var low = (pixel & 0x00FF_00FF) &* alpha &+ 0x0080_0080
    low = ((low &+ ((low &>> 8) & 0x00FF_00FF)) &>> 8) & 0x00FF_00FF
    var high = ((pixel &>> 8) & 0x00FF_00FF) &* alpha &+ 0x0080_0080
    high = (high &+ ((high &>> 8) & 0x00FF_00FF)) & 0xFF00_FF00
    return low | high
  }

  /// `source` laid over `target`.
  @inline(__always)
  static func blend(_ source: UInt32, over target: UInt32) -> UInt32 {
    source &+ scale(target, by: 255 &- source &>> 24)
  }

  /// Lays one colour over `count` pixels.
  static func blend(_ color: Color, over target: UnsafeMutablePointer<UInt32>, count: Int) {
    let source = color.premultiplied
    let rest = 255 &- source &>> 24
    for index in 0..<count { target[index] = source &+ scale(target[index], by: rest) }
  }

  /// Lays `count` pixels over as many others.
  static func blend(_ source: UnsafePointer<UInt32>, over target: UnsafeMutablePointer<UInt32>, count: Int) {
    for index in 0..<count { target[index] = blend(source[index], over: target[index]) }
  }

  /// The bits that all pixels share in their alpha, 255 when all are opaque, and whether any bit of any pixel is set.
  static func alphas(of pixels: UnsafeBufferPointer<UInt32>) -> (common: UInt32, isBlank: Bool) {
    guard let base = pixels.baseAddress else { return (255, true) }
    var common = UInt32.max
    var any: UInt32 = 0
    for index in 0..<pixels.count {
      common &= base[index]
      any |= base[index]
    }
    return (common >> 24, any == 0)
  }
}
