internal import Core
internal import MRAID

extension Device {
  /// A touch device without safe areas from `390x844@3`; the scale may be fractional and is 1 when left out.
  package static func custom(screen text: String) throws(ScreenFormatError) -> Device {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    let sides = parts[0].split(omittingEmptySubsequences: false) { "xX×".contains($0) }
    guard parts.count <= 2, sides.count == 2, let width = wholeNumber(sides[0]), let height = wholeNumber(sides[1]),
      let scale = parts.count == 2 ? decimal(parts[1]) : 1
    else { throw .malformed(text) }
    for side in [width, height] where !(50...4096).contains(side) { throw .sideOutOfRange(side) }
    guard (1...4).contains(scale) else { throw .scaleOutOfRange(scale) }
    let size = Size(width: width, height: height)
    let name = "\(size)@\(scale.plain)"
    let device = Device(
      name: name, screen: size, scale: scale, touch: true, userAgent: customUserAgent, platform: "iPhone")
    let pixels = Bounded.int(size.area, in: 0...4096 * 4096) * device.renderScale * device.renderScale
    guard pixels <= 100_000_000 else { throw .tooManyPixels(pixels) }
    return device
  }

  /// A web view inside an iPhone app, which creatives are most used to.
  private static let customUserAgent =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"

  /// Digits only: `Double` alone would take signs, exponents and "nan".
  private static func wholeNumber(_ text: Substring) -> Double? {
    text.allSatisfy { $0.isASCII && $0.isNumber } ? Double(text) : nil
  }

  /// Digits with at most one point between them.
  private static func decimal(_ text: Substring) -> Double? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && wholeNumber($0) != nil }) else { return nil }
    return Double(text)
  }
}
