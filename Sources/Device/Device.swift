package import Core

/// A phone, tablet or desktop, with the properties that an ad can observe.
///
/// Many Android screens have a fractional scale (2.625), but an X11 window's scale is a whole number. Galley therefore
/// draws at `renderScale`, the next whole number, so screenshots of such devices have more pixels than the panel. The
/// layout is the same, since both share the size in dip. The page sees the device's own `scale` as `devicePixelRatio`.
package struct Device: Hashable, Sendable, Codable {
  /// Catalogue name, lower case with hyphens: `iphone-15`.
  package var name: String
  /// Size of the upright screen in dip; a desktop's is wider than tall.
  package var screen: Size
  /// Physical pixels per dip as the page sees them (`devicePixelRatio`); may be fractional.
  package var scale: Double
  /// Insets for status bar, notch and home indicator in portrait orientation, in dip.
  package var safeArea: Insets
  /// The same in landscape orientation.
  package var safeAreaLandscape: Insets
  package var touch: Bool
  package var userAgent: String
  /// `navigator.platform`.
  package var platform: String
  package var capabilities: Capabilities

  package init(
    name: String, screen: Size, scale: Double, safeArea: Insets = .zero, safeAreaLandscape: Insets = .zero,
    touch: Bool, userAgent: String, platform: String, capabilities: Capabilities = .phone
  ) {
    self.name = name
    self.screen = screen
    self.scale = scale
    self.safeArea = safeArea
    self.safeAreaLandscape = safeAreaLandscape
    self.touch = touch
    self.userAgent = userAgent
    self.platform = platform
    self.capabilities = capabilities
  }

  /// Pixels per dip at which the engine draws: window scales are whole numbers, so a fractional scale is rounded up.
  package var renderScale: Int { Bounded.int(scale, in: 1...8, rounding: .up) }
}

extension Device {
  /// Number of pixels in an image of the whole screen.
  package var pixels: Double { screen.area * Double(renderScale * renderScale) }

  /// Orientation of the device as long as it isn't turned: landscape for desktops, portrait for phones and tablets.
  package var naturalOrientation: AppOrientation { screen.width > screen.height ? .landscape : .portrait }

  /// Size of the screen in this orientation, in dip.
  package func screenSize(in orientation: AppOrientation) -> Size {
    orientation == naturalOrientation ? screen : screen.turned
  }

  /// Insets reserved for the system in this orientation, in dip.
  package func safeArea(in orientation: AppOrientation) -> Insets {
    orientation == .portrait ? safeArea : safeAreaLandscape
  }
}

extension Device {
  /// Makes a touch device without safe areas from `390x844@3`; the scale may be fractional and is 1 if left out.
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

  /// User agent of a web view inside an iPhone app, which most creatives expect.
  private static let customUserAgent =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"

  /// Reads a number of digits only: `Double` alone would accept signs, exponents and "nan".
  private static func wholeNumber(_ text: Substring) -> Double? {
    text.allSatisfy { $0.isASCII && $0.isNumber } ? Double(text) : nil
  }

  /// Reads digits with at most one decimal point between them.
  private static func decimal(_ text: Substring) -> Double? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && wholeNumber($0) != nil }) else { return nil }
    return Double(text)
  }
}

/// Reason why a custom screen such as `390x844@3` can't be used; the caller who wrote it has to act.
package enum ScreenFormatError: Error, Hashable, Sendable {
  /// Not of the form WIDTHxHEIGHT or WIDTHxHEIGHT@SCALE.
  case malformed(String)
  /// A side outside 50 to 4096 dip.
  case sideOutOfRange(Double)
  /// A scale outside 1 to 4.
  case scaleOutOfRange(Double)
  /// More physical pixels than a screenshot may have.
  case tooManyPixels(Int)

  /// Stable code for machines.
  package var code: String {
    switch self {
    case .malformed: "screen-malformed"
    case .sideOutOfRange: "screen-side-invalid"
    case .scaleOutOfRange: "screen-scale-invalid"
    case .tooManyPixels: "screen-too-large"
    }
  }
}

extension ScreenFormatError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let text): "'\(text)' isn't a screen: write WIDTHxHEIGHT@SCALE in dip, such as 390x844@3"
    case .sideOutOfRange(let side): "a screen's sides must be from 50 to 4096 dip, not \(side.plain)"
    case .scaleOutOfRange(let scale): "a screen's scale must be from 1 to 4, not \(scale.plain)"
    case .tooManyPixels(let count): "a screen has at most 100 million physical pixels, not \(count)"
    }
  }
}

/// Features that the apps on a device offer to an ad, and the user's answers to its requests.
///
/// They decide the outcome of commands that a headless host can't carry out.
package struct Capabilities: Hashable, Sendable, Codable {
  /// Features that `mraid.supports()` reports: sms, tel, calendar, storePicture, inlineVideo, location, vpaid.
  package var supports: Set<String>
  /// Indicates if the user confirms storePicture and createCalendarEvent; a refusal is an MRAID `error`.
  package var confirms: Bool
  /// Result of `mraid.getLocation()`; nil for -1.
  package var location: JSONValue?

  package init(supports: Set<String>, confirms: Bool = true, location: JSONValue? = nil) {
    self.supports = supports
    self.confirms = confirms
    self.location = location
  }

  /// Capabilities of a phone whose user confirms everything; its location is Null Island (latitude and longitude 0).
  package static let phone = Capabilities(
    supports: ["sms", "tel", "calendar", "storePicture", "inlineVideo", "location"],
    location: ["lat": 0, "lon": 0, "type": 1, "accuracy": 10, "lastfix": 0])

  /// Encodes the features in sorted order, so that equal devices have equal encodings.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(supports.sorted(), forKey: .supports)
    try container.encode(confirms, forKey: .confirms)
    try container.encodeIfPresent(location, forKey: .location)
  }

  private enum CodingKeys: String, CodingKey {
    case supports, confirms, location
  }
}

/// Distances from the four edges in dip.
package struct Insets: Hashable, Sendable, Codable {
  package var top: Double
  package var left: Double
  package var bottom: Double
  package var right: Double

  package init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// No insets.
  package static let zero = Insets()
}

extension Rect {
  /// The part inside the insets; its size is never negative.
  package func inset(by insets: Insets) -> Rect {
    Rect(
      x: x + insets.left, y: y + insets.top, width: max(0, width - insets.left - insets.right),
      height: max(0, height - insets.top - insets.bottom))
  }
}
